import { describe, expect, test } from 'vitest'
import { svgProblem } from './logo.ts'

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"${attributes}>${inside}</svg>`

describe('a logo', () => {
  test.each([
    svg('<path d="M0 0h9"/>'),
    `<?xml version="1.0"?>\n<!-- drawn -->\n${svg('<title>A &amp; B</title>')}`,
    svg('<defs><linearGradient id="g"/></defs><rect fill="url(#g)"/><use href="#g"/>'),
    svg('<style>.word{fill:#8a7400}</style><path class="word" d="M0 0h9"/>'),
    svg(
      '<style>\n.word { fill: #8a7400 }\n@media (prefers-color-scheme: dark) {\n' +
        '  .word { fill: #f8d553 }\n  .edge, g path { stroke: none; opacity: .5 }\n}\n</style>',
    ),
  ])('may be %s', (text) => {
    expect(svgProblem(text)).toBeNull()
  })

  test.each([
    'not a drawing',
    svg('<script>alert(1)</script>'),
    svg('<SCRIPT/>'),
    svg('', ' onload="alert(1)"'),
    svg('<path ONCLICK = "x" d="M0"/>'),
    svg('<image href="https://example.com/x.png"/>'),
    svg('<use href="other.svg#a"/>'),
    svg('<use xlink:href="data:image/svg+xml,x"/>'),
    svg('<rect fill="url(https://example.com/x)"/>'),
    svg('<rect style="fill:url( \'//example.com\')"/>'),
    svg('<style>@import "x"</style>'),
    svg('<style>@import url(//example.com/x);</style>'),
    svg('<style>path{fill:url(//example.com/x)}</style>'),
    svg('<style>path{fill:u\\72l(//example.com/x)}</style>'),
    svg('<style>path{mask:image-set("//example.com/x" 1x)}</style>'),
    svg('<style>@font-face{src:local(x)}</style>'),
    svg('<style>@media print{path{fill:red}}</style>'),
    svg('<style>path{fill:red}</style><style>@import "x"</style>'),
    svg('<style>path{fill:red}<![CDATA[@import "x"]]></style>'),
    svg('<style type="text/css">path{fill:url(x)}</style>'),
    svg('<style><!-- -->@import "x"</style>'),
    svg('<style>path{fill:&#117;rl(x)}</style>'),
    svg('<style>path{fill:red'),
    svg('<foreignObject><p>x</p></foreignObject>'),
    svg('<a href="#x"><path d="M0"/></a>'),
    svg('<set attributeName="href" to="x"/>'),
    `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('')}`,
    `<?xml-stylesheet href="x"?>${svg('')}`,
    svg('<path d=M0 onclick=alert(1)>'),
    svg('<rect fill="&#106;avascript:x"/>'),
    svg('<!-- --!><script>1</script> -->').replace('-->', '--><script>1</script>'),
    svg(`<title>${'x'.repeat(70_000)}</title>`),
  ])('may not be %s', (text) => {
    expect(svgProblem(text)).not.toBeNull()
  })
})
