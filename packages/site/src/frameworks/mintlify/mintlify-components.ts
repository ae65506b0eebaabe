/** The components that Mintlify's documentation lists, now or in the past. */
export const MINTLIFY_COMPONENTS: readonly string[] = [
  ...['Accordion', 'AccordionGroup', 'Badge', 'Banner', 'Callout', 'Card', 'CardGroup', 'Cards', 'Check'],
  ...['CodeBlock', 'CodeGroup', 'Color', 'Column', 'Columns', 'CustomCode', 'CustomComponent', 'Danger'],
  ...['DynamicCustomComponent', 'Expandable', 'FileTree', 'Frame', 'GitHub', 'Github', 'Head', 'Heading', 'Icon'],
  ...['Image', 'Img', 'Info', 'Latex', 'Link', 'Loom', 'MDX', 'Mermaid', 'Note', 'Panel', 'Param', 'ParamField'],
  ...['Popup', 'Prompt', 'Property', 'RequestExample', 'RequestSnippet', 'ResponseExample', 'ResponseField'],
  ...['ResponseSnippet', 'Snippet', 'SnippetGroup', 'SnippetIntro', 'Step', 'Steps', 'Tab', 'Table', 'Tabs', 'Tile'],
  ...['Tiles', 'Tip', 'Tooltip', 'Tree', 'TreeFile', 'TreeFolder', 'Update', 'Variation', 'Video', 'View'],
  ...['Visibility', 'Warning', 'YouTube', 'ZoomImage'],
]
