import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding } from './checks.ts'

const largest = 64 * 1024

// What a drawing needs and nothing that runs, loads or nests another document.
const elements = new Set(
  `svg g path circle ellipse rect line polyline polygon text tspan title desc defs
   linearGradient radialGradient stop clipPath mask symbol use`.split(/\s+/),
)
const tag = /<\/?([\w:-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/g
// Colours by day and by night, written so plainly that nothing can be loaded or nested: neither
// function, escape, string nor any rule but these two.
const rule = /[\w.#][\w.#, \n-]*\{[\w:;#.%, \n-]*\}/.source
const night = /@media \(prefers-color-scheme: (?:dark|light)\) \{\s*/.source
const plainStyle = new RegExp(`^\\s*(?:(?:${rule}|${night}(?:${rule}\\s*)+\\})\\s*)*$`)
const style = /<style>([^<]*)<\/style>/g
const attribute = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/**
 * Why the text is no plain drawing, or null. The logo is served to browsers from our own address.
 */
export function svgProblem(svg: string): string | null {
  if (svg.length > largest) return `is larger than ${largest / 1024} KiB`
  const whole = svg.replace(/^\ufeff?\s*<\?xml [^<>]*\?>/, '').replace(/<!--[^]*?-->/g, '')
  for (const [, css = ''] of whole.matchAll(style)) {
    if (!plainStyle.test(css)) return 'holds a style that is more than plain colours'
  }
  const body = whole.replace(style, '')
  if (!/^\s*<svg[\s>]/.test(body)) return 'does not begin with <svg>'
  if (body.replace(tag, '').includes('<')) return 'holds something that is no plain SVG element'
  for (const [, name = '', attributes = ''] of body.matchAll(tag)) {
    if (!elements.has(name)) return `holds <${name}>, which a logo may not`
    for (const [, key = '', double, single] of attributes.matchAll(attribute)) {
      const value = (double ?? single ?? '').trim()
      if (/^on/i.test(key)) return `holds the handler ${key}`
      const refers = /(^|:)href$/i.test(key) || /^src$/i.test(key)
      if (refers && !value.startsWith('#')) return `refers to something outside itself in ${key}`
      if (/url\(\s*['"]?(?!#)/i.test(value) || /@import|javascript:|&#|\\/i.test(value)) {
        return `refers to something outside itself in ${key}`
      }
    }
  }
  return null
}

/** Looks at the logo file that a definition names. */
export async function checkLogo(folder: string, name: string): Promise<Finding[]> {
  const svg = await readFile(join(folder, name), 'utf8').catch(() => null)
  const message = svg === null ? `there is no file ${name} beside it` : svgProblem(svg)
  return message === null ? [] : [{ path: ['logo'], message }]
}
