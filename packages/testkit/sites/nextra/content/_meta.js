export default {
  index: 'Introduction',
  guides: { title: 'Guides', type: 'page' },
  reference: { title: 'Reference', type: 'page' },
  help: { title: 'Help', type: 'page' },
  about: { title: 'About', type: 'page' },
  community: { title: 'Community', type: 'page', href: 'https://harbour.example/community' },
}
