/** The complete style sheet. It is inlined into every page, because the pages load no resources. */
export const STYLES = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --sheet: #ffffff; --ink: #1d2226; --soft: #5d666e; --line: #e2dfd9; --accent: #0b5f6b;
  --code: #f3f1ed; --open: #1a6b3c; --merged: #6b3fa0; --closed: #a3312b; --draft: #5d666e;
  --add: #e6f5ea; --add-mark: #b4e2c1; --add-ink: #14532d; --del: #fdecea; --del-mark: #f5c3bd; --del-ink: #7f1d1d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --sheet: #1b1f23; --ink: #e5e7e8; --soft: #9aa4ac; --line: #2e3439; --accent: #6cc6d3;
    --code: #23282d; --open: #5fc489; --merged: #b492e6; --closed: #f0908a; --draft: #9aa4ac;
    --add: #15301f; --add-mark: #1f5a36; --add-ink: #a8e6bf; --del: #371b1a; --del-mark: #6b2a27; --del-ink: #f7b8b2;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif; }
main, header > div, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
header { border-bottom: 1px solid var(--line); background: var(--sheet); }
header > div { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; padding-block: .7rem; }
header nav { flex: 1 1 auto; overflow-wrap: anywhere; }
header .note { color: var(--soft); font-size: .8125rem; }
main { padding-block: 1.75rem 3rem; }
footer { padding-block: 0 2rem; color: var(--soft); font-size: .8125rem; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; font-weight: 650; letter-spacing: -.01em; overflow-wrap: anywhere; }
h1 code { font-size: .875em; font-weight: 600; background: var(--code); border-radius: 4px; padding: .05em .25em; }
h1 .number { color: var(--soft); font-weight: 400; }
h2 { font-size: 1.125rem; margin: 2.25rem 0 .75rem; }
code, pre, .mono, .path, .branch, .diff { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; font-size: .8125rem; }
.muted { color: var(--soft); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.inset { padding: .75rem 1rem; margin: 0; }
.state { display: inline-block; text-transform: capitalize; padding: .1rem .6rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .8125rem; font-weight: 600; }
.state.open { color: var(--open); } .state.merged { color: var(--merged); } .state.closed { color: var(--closed); } .state.draft { color: var(--draft); }
.meta { color: var(--soft); display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: center; margin: 0 0 1.25rem; font-size: .9375rem; }
.branch { background: var(--code); border-radius: 4px; padding: .1rem .4rem; color: var(--ink); overflow-wrap: anywhere; }
.tag { border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .55rem; font-size: .75rem; color: var(--soft); }
.card { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
.body { padding: .25rem 1.25rem; overflow-wrap: anywhere; }
.body :is(h1, h2) { font-size: 1.15rem; margin: 1.25rem 0 .5rem; } .body h3 { font-size: 1.05rem; margin: 1.25rem 0 .4rem; } .body :is(h4, h5, h6) { font-size: .95rem; margin: 1rem 0 .4rem; }
.body p { white-space: pre-line; } .body p br { display: none; }
.body code { background: var(--code); border-radius: 4px; padding: .1rem .3rem; }
.body pre { background: var(--code); border-radius: 6px; padding: .75rem 1rem; overflow-x: auto; }
.body pre code { background: none; padding: 0; }
.body ul, .body ol { padding-left: 1.4rem; } .body li { margin: .2rem 0; } .body li > p { margin: 0; }
.body li:has(> input, > p > input) { list-style: none; margin-left: -1.2rem; }
.body blockquote { margin: 1rem 0; padding: 0 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.body hr { border: 0; border-top: 1px solid var(--line); margin: 1.25rem 0; }
.comment > p:first-child { margin: 0; padding: .5rem 1.25rem; border-bottom: 1px solid var(--line); font-size: .875rem; }
.comment { margin-top: 1rem; }
.body table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .9375rem; } .body th, .body td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
.rows { list-style: none; margin: 0; padding: 0; }
.rows > li { padding: .7rem 1rem; border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .2rem .75rem; align-items: baseline; overflow-wrap: anywhere; }
.rows > li:first-child { border-top: 0; }
.rows .grow { flex: 1 1 14rem; min-width: 0; } .rows .small { color: var(--soft); font-size: .8125rem; }
.files { list-style: none; padding: 0; margin: 0 0 1rem; columns: 22rem auto; column-gap: 2rem; font-size: .875rem; }
.files li { break-inside: avoid; padding: .1rem 0; overflow-wrap: anywhere; }
.counts { white-space: nowrap; font-size: .8125rem; font-variant-numeric: tabular-nums; } .plus { color: var(--open); } .minus { color: var(--closed); }
.file { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; margin: 0 0 1rem; overflow: hidden; }
.file > summary { cursor: pointer; padding: .55rem 1rem; background: var(--code); overflow-wrap: anywhere; }
.file[open] > summary { border-bottom: 1px solid var(--line); }
.file .path { font-weight: 600; }
.diff { width: 100%; border-collapse: collapse; table-layout: fixed; line-height: 1.5; }
.diff col.number { width: 3rem; } .diff col.sign { width: 1.5rem; }
.diff td { padding: 0 .35rem; vertical-align: top; }
.diff td.number { color: var(--soft); text-align: right; font-size: .75rem; line-height: 1.625; user-select: none; }
.diff td.sign { text-align: center; user-select: none; font-weight: 700; }
.diff td.text { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; padding-right: 1rem; }
.diff tr.hunk td { color: var(--soft); background: var(--paper); padding: .25rem 1rem; font-size: .75rem; overflow-wrap: anywhere; }
.diff tr.added td { background: var(--add); } .diff tr.added .sign { color: var(--add-ink); }
.diff tr.removed td { background: var(--del); } .diff tr.removed .sign { color: var(--del-ink); }
.diff tr:target td { background: var(--add); }
.diff tr.note td { color: var(--soft); font-style: italic; }
.diff mark { color: inherit; border-radius: 3px; } .diff .added mark { background: var(--add-mark); } .diff .removed mark { background: var(--del-mark); }
pre.clone { background: var(--code); border-radius: 6px; padding: .7rem 1rem; margin: 0; overflow-x: auto; }
@media (max-width: 40rem) {
  main, header > div, footer { padding-inline: 1rem; }
  main { padding-top: 1.25rem; }
  h1 { font-size: 1.3rem; }
  .diff col.number { width: 2.25rem; } .diff col.sign { width: 1.25rem; }
  .diff col.number.before { width: 0; } .diff td.number.before { font-size: 0; overflow: hidden; }
  .diff td { padding: 0 .2rem; } .diff td.number.before { padding: 0; } .diff td.text { padding-right: .5rem; } .diff tr.hunk td { padding: .25rem .6rem; }
  .body, .comment > p:first-child { padding-inline: 1rem; } .file > summary { padding-inline: .75rem; }
}
`
