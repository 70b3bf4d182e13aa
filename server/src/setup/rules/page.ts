import type { RuleBook, RuleSection } from '@tillside/contract/rule-book'

/** Writes a rule book as Markdown. */
export function markdownOf({ title, source, example, sections }: RuleBook): string {
  return [`# ${mark(title)}`, mark(source), ...sections.map((part) => markdownPart(part, example))]
    .join('\n\n')
    .concat('\n')
}

function markdownPart({ title, text, list, table, examples }: RuleSection, example: string) {
  return [
    `## ${mark(title)}`,
    ...(text === '' ? [] : [mark(text)]),
    ...(list.length === 0 ? [] : [list.map((item) => `- ${mark(item)}`).join('\n')]),
    ...(table === null
      ? []
      : [
          [table.head, table.head.map(() => '---'), ...table.rows]
            .map((row) => `| ${row.map(mark).join(' | ')} |`)
            .join('\n'),
        ]),
    ...examples.map((one) => `**${mark(example)}** ${mark(one)}`),
  ].join('\n\n')
}

/** A company's words are text, also where they look like Markdown. */
function mark(text: string): string {
  return /^-+$/.test(text) ? text : text.replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`)
}

/**
 * Writes a rule book as one HTML page that needs no other file.
 * @param color the company's
 */
export function htmlOf(book: RuleBook, color: string): string {
  const { language, title, source, example, sections } = book
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
h1, h2 { line-height: 1.25; border-block-end: 2px solid ${color} }
table { border-collapse: collapse; width: 100% }
th, td { text-align: start; padding: 0.3rem 0.6rem; border-block-end: 1px solid }
td:not(:first-child), th:not(:first-child) { text-align: end }
.example { border-inline-start: 4px solid ${color}; padding-inline-start: 0.8rem }
</style>
</head>
<body>
<h1>${escape(title)}</h1>
<p>${escape(source)}</p>
${sections.map((part) => htmlPart(part, example)).join('\n')}
</body>
</html>
`
}

function htmlPart({ title, text, list, table, examples }: RuleSection, example: string): string {
  const cells = (name: string, row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${name}>${escape(cell)}</${name}>`).join('')}</tr>`
  return [
    `<h2>${escape(title)}</h2>`,
    ...(text === '' ? [] : [`<p>${escape(text)}</p>`]),
    ...(list.length === 0
      ? []
      : [`<ul>${list.map((item) => `<li>${escape(item)}</li>`).join('')}</ul>`]),
    ...(table === null
      ? []
      : [
          ['<table>', cells('th', table.head), ...table.rows.map((row) => cells('td', row))]
            .join('')
            .concat('</table>'),
        ]),
    ...examples.map((one) => `<p class="example"><b>${escape(example)}</b> ${escape(one)}</p>`),
  ].join('\n')
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => entities.get(sign) ?? sign)
}
