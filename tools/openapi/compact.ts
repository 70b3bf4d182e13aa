const width = 100
/** So many items of a list are shown when the others take more than a line. */
const shownItems = 3

/**
 * JSON for a page: what fits is on one line, and a long list has its first items and the number of
 * the others in a comment.
 */
export function compact(value: unknown, indent = ''): string {
  const line = oneLine(value)
  if (indent.length + line.length <= width || typeof value !== 'object' || value === null) {
    return line
  }
  const more = `${indent}  `
  const list = Array.isArray(value)
  const all: [string, unknown][] = Object.entries(value)
  const shown = list && all.length > shownItems + 1 ? all.slice(0, shownItems) : all
  const lines = shown.map(([key, inner], n) => {
    const name = list ? '' : `${JSON.stringify(key)}: `
    const isLast = n === all.length - 1
    return `${more}${name}${compact(inner, more)}${isLast ? '' : ','}`
  })
  if (shown.length < all.length) lines.push(`${more}// ${all.length - shown.length} more`)
  const [open, close] = list ? ['[', ']'] : ['{', '}']
  return [open, ...lines, indent + close].join('\n')
}

/** JSON on one line, with spaces as in the other pages. */
function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => oneLine(one)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}: ${oneLine(inner)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
