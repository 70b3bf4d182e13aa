/**
 * A colour in OKLCH: lightness 0–1, chroma, hue in degrees. Equal steps in it look equally large.
 */
export type Oklch = { lightness: number; chroma: number; hue: number }

type Triple = [number, number, number]

const toLinear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

const toGamma = (channel: number) =>
  channel <= 0.0031308 ? 12.92 * channel : 1.055 * channel ** (1 / 2.4) - 0.055

const clamp = (value: number) => Math.min(1, Math.max(0, value))

function linearOf(hex: string): Triple {
  const value = Number.parseInt(hex.slice(1), 16)
  const channel = (shift: number) => toLinear(((value >> shift) & 255) / 255)
  return [channel(16), channel(8), channel(0)]
}

function linearFrom({ lightness, chroma, hue }: Oklch): Triple {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

const displayable = (colour: Oklch) =>
  linearFrom(colour).every((channel) => channel >= -1e-4 && channel <= 1.0001)

/** Converts `#rrggbb` to OKLCH (Björn Ottosson, https://bottosson.github.io/posts/oklab/). */
export function oklchOf(hex: string): Oklch {
  const [r, g, b] = linearOf(hex)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const hue = ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360
  return { lightness, chroma: Math.hypot(x, y), hue }
}

/** Converts to `#rrggbb`. A colour outside sRGB loses chroma; lightness and hue stay. */
export function hexOf(colour: Oklch): string {
  let shown = colour
  if (!displayable(colour)) {
    let low = 0
    let high = colour.chroma
    for (let step = 0; step < 24; step += 1) {
      const chroma = (low + high) / 2
      if (displayable({ ...colour, chroma })) low = chroma
      else high = chroma
    }
    shown = { ...colour, chroma: low }
  }
  const digits = linearFrom(shown).map((channel) =>
    Math.round(clamp(toGamma(clamp(channel))) * 255)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${digits.join('')}`
}

function luminance(hex: string): number {
  const [r, g, b] = linearOf(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast ratio of WCAG 2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const a = luminance(one)
  const b = luminance(other)
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Moves the lightness until the colour has the contrast `ratio` on every one of the grounds. */
export function withContrast(
  start: Oklch,
  grounds: readonly string[],
  ratio: number,
  direction: 'lighter' | 'darker',
): string {
  const step = direction === 'lighter' ? 0.005 : -0.005
  for (let { lightness } = start; lightness >= 0 && lightness <= 1; lightness += step) {
    const hex = hexOf({ ...start, lightness })
    if (grounds.every((ground) => contrast(hex, ground) >= ratio)) return hex
  }
  return direction === 'lighter' ? '#ffffff' : '#000000'
}
