/** Fern: a billing service; docs.yml orders the pages. The product is invented. */
export const fennel: Readonly<Record<string, string>> = {
  'fern/docs.yml': `instances:
  - url: fennel.docs.example.com

# Order matters: the first page is the landing page.
navigation:
  - section: Start
    contents:
      - page: Welcome
        path: ./pages/welcome.mdx
      - page: Webhooks
        path: ./pages/webhooks.mdx
  - section: Billing
    contents:
      - page: "Invoices"
        path: ./pages/invoices.mdx

redirects:
  - source: /hooks
    destination: /start/webhooks
`,
  'fern/fern.config.json': `{ "organization": "fennel", "version": "0.60.0" }
`,
  'fern/pages/invoices.mdx': `---
title: Invoices
---

An invoice is \`draft\`, \`open\`, \`paid\` or \`void\`.

Numbers count up from 1 each year.
`,
  'fern/pages/webhooks.mdx': `---
title: Webhooks
---

Fennel calls your address when an invoice is paid.

<Callout intent="info">
  A call that is not answered within 10 seconds is repeated 5 times.
</Callout>
`,
  'fern/pages/welcome.mdx': `---
title: Welcome
---

Fennel sends invoices. Read about [webhooks](/start/webhooks) and [invoices](/billing/invoices).
`,
}
