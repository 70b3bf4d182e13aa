import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding } from './form-checks.ts'

const maxLength = 64 * 1024

// Elements of a drawing; none that runs scripts, loads or embeds other documents.
const elements = new Set(
  `svg g path circle ellipse rect line polyline polygon text tspan title desc defs
   linearGradient radialGradient stop clipPath mask symbol use`.split(/\s+/),
)
const tag = /<\/?([\w:-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/g
// Colours for light and dark mode, in a syntax so restricted that nothing can be loaded or nested:
// no functions, escapes, strings, or at-rules other than this media query.
const rule = /[\w.#][\w.#, \n-]*\{[\w:;#.%, \n-]*\}/.source
const night = /@media \(prefers-color-scheme: (?:dark|light)\) \{\s*/.source
const plainStyle = new RegExp(`^\\s*(?:(?:${rule}|${night}(?:${rule}\\s*)+\\})\\s*)*$`)
const style = /<style>([^<]*)<\/style>/g
const attribute = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/**
 * The reason why a text is not a plain drawing, or null. The logo is served to browsers from our
 * own origin.
 */
export function svgProblem(svg: string): string | null {
  if (svg.length > maxLength) return `is larger than ${maxLength / 1024} KiB`
  const whole = svg.replace(/^\ufeff?\s*<\?xml [^<>]*\?>/, '').replace(/<!--[^]*?-->/g, '')
  for (const [, css = ''] of whole.matchAll(style)) {
    if (!plainStyle.test(css)) return 'contains a style with more than plain colours'
  }
  const body = whole.replace(style, '')
  if (!/^\s*<svg[\s>]/.test(body)) return 'does not begin with <svg>'
  if (body.replace(tag, '').includes('<')) return 'contains something other than plain SVG elements'
  for (const [, name = '', attributes = ''] of body.matchAll(tag)) {
    if (!elements.has(name)) return `contains <${name}>, which is not allowed in a logo`
    for (const [, key = '', double, single] of attributes.matchAll(attribute)) {
      const value = (double ?? single ?? '').trim()
      if (/^on/i.test(key)) return `contains the handler ${key}`
      const refers = /(^|:)href$/i.test(key) || /^src$/i.test(key)
      if (refers && !value.startsWith('#')) return `refers to something outside itself in ${key}`
      if (/url\(\s*['"]?(?!#)/i.test(value) || /@import|javascript:|&#|\\/i.test(value)) {
        return `refers to something outside itself in ${key}`
      }
    }
  }
  return null
}

/** Validates the logo file of a definition. */
export async function checkLogo(folder: string, name: string): Promise<Finding[]> {
  const svg = await readFile(join(folder, name), 'utf8').catch(() => null)
  const message = svg === null ? `there is no file ${name} in the folder` : svgProblem(svg)
  return message === null ? [] : [{ path: ['logo'], message }]
}
