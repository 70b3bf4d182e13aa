import { contrast, hexOf, oklchOf, withContrast, type Oklch } from './colour.ts'

export type Mode = 'light' | 'dark'

const grounds = ['canvas', 'sunken', 'surface', 'raised', 'overlay'] as const
const inks = ['ink', 'ink2', 'ink3', 'line', 'control', 'focus'] as const
const brands = [
  'brand',
  'on-brand',
  'brand-hover',
  'brand-press',
  'brand-text',
  'brand-tint',
  'brand-line',
  'brand-edge',
] as const
const meanings = ['success', 'warning', 'danger', 'info'] as const
type Meaning = (typeof meanings)[number]

/** Every colour that follows from a company's brand, by the name of its CSS variable. */
export type ThemeTokens = Record<
  | (typeof grounds)[number]
  | (typeof inks)[number]
  | (typeof brands)[number]
  | Meaning
  | `${Meaning}-tint`,
  string
>

/* Slightly more than the 4.5 and 3 of WCAG, because colours are rounded to eight bits a channel. */
const textRatio = 4.6
const edgeRatio = 3.1
const white = '#ffffff'

const meaningColours: Record<Meaning, { hue: number; chroma: number }> = {
  success: { hue: 150, chroma: 0.14 },
  warning: { hue: 75, chroma: 0.13 },
  danger: { hue: 27, chroma: 0.19 },
  info: { hue: 250, chroma: 0.14 },
}

type Solid = { brand: string; on: string }

/** Greys get a small amount of the brand's hue, too little to look coloured. */
function neutralOf(brand: Oklch): (lightness: number) => Oklch {
  const chroma = brand.chroma < 0.02 ? 0 : 0.0035
  return (lightness) => ({ lightness, chroma, hue: brand.hue })
}

function groundsOf(neutral: (lightness: number) => Oklch, mode: Mode) {
  const at = (lightness: number) => hexOf(neutral(lightness))
  return mode === 'dark'
    ? {
        canvas: at(0.175),
        sunken: at(0.145),
        surface: at(0.215),
        raised: at(0.25),
        overlay: at(0.275),
      }
    : { canvas: at(0.977), sunken: at(0.955), surface: white, raised: white, overlay: white }
}

/**
 * Returns the brand unchanged if a black or white label is readable on it; otherwise moves its
 * lightness as little as possible.
 */
function solidOf(hex: string, brand: Oklch, black: string): Solid {
  const onWhite = contrast(white, hex) >= textRatio
  const onBlack = contrast(black, hex) >= textRatio
  if (brand.lightness < 0.68 && onWhite) return { brand: hex, on: white }
  if (brand.lightness >= 0.62 && onBlack) return { brand: hex, on: black }
  if (onWhite) return { brand: hex, on: white }
  const darker = withContrast(brand, [white], textRatio, 'darker')
  const lighter = withContrast(brand, [black], textRatio, 'lighter')
  const down = Math.abs(oklchOf(darker).lightness - brand.lightness)
  const up = Math.abs(oklchOf(lighter).lightness - brand.lightness)
  return down <= up + 0.06 ? { brand: darker, on: white } : { brand: lighter, on: black }
}

/** Lightens a filled button that would be too dark to see on a dark page. */
function liftedOf(solid: Solid, brand: Oklch, black: string): Solid {
  if (oklchOf(solid.brand).lightness >= 0.45) return solid
  const lifted = { ...brand, lightness: 0.48, chroma: Math.min(brand.chroma, 0.16) }
  const hex = hexOf(lifted)
  if (contrast(white, hex) >= textRatio) return { brand: hex, on: white }
  if (contrast(black, hex) >= textRatio) return { brand: hex, on: black }
  return { brand: withContrast(lifted, [white], textRatio, 'darker'), on: white }
}

/** Hover and press move the colour away from the label's, so that the label stays readable. */
function pressedOf({ brand, on }: Solid, distance: number): string {
  const solid = oklchOf(brand)
  const moved = solid.lightness + (on === white ? -distance : distance)
  const hex = hexOf({ ...solid, lightness: Math.min(0.99, Math.max(0.02, moved)) })
  return contrast(hex, on) >= 4.5 ? hex : brand
}

function brandsOf(hex: string, brand: Oklch, mode: Mode, bases: readonly string[], ink: Solid) {
  const dark = mode === 'dark'
  const neutral = neutralOf(brand)
  const black = hexOf(neutral(0.19))
  const away = dark ? 'lighter' : 'darker'
  const chroma = Math.min(brand.chroma, dark ? 0.15 : 0.19)
  const tint = hexOf({
    lightness: dark ? 0.27 : 0.962,
    chroma: Math.min(brand.chroma, dark ? 0.045 : 0.02),
    hue: brand.hue,
  })
  const under = [...bases, tint]
  const from = (limit: number) =>
    dark ? Math.max(brand.lightness, limit) : Math.min(brand.lightness, limit)
  const reached = (limit: number, ratio: number) =>
    withContrast({ ...brand, chroma, lightness: from(limit) }, under, ratio, away)
  let text = reached(0.62, textRatio)
  let line = reached(dark ? 0.5 : 0.72, edgeRatio)
  let solid = solidOf(hex, brand, black)
  if (dark) solid = liftedOf(solid, brand, black)
  // In dark mode a black brand becomes white. Any grey would look like a different brand.
  if (dark && brand.chroma < 0.03 && brand.lightness < 0.5) {
    solid = { brand: hexOf(neutral(0.93)), on: black }
    text = ink.brand
    line = ink.on
  }
  const stands = bases.every((base) => contrast(solid.brand, base) >= 3)
  return {
    brand: solid.brand,
    'on-brand': solid.on,
    'brand-hover': pressedOf(solid, 0.035),
    'brand-press': pressedOf(solid, 0.07),
    'brand-text': text,
    'brand-tint': tint,
    'brand-line': line,
    'brand-edge': stands ? solid.brand : line,
  }
}

function meaningOf(name: Meaning, mode: Mode, bases: readonly string[]) {
  const { hue, chroma } = meaningColours[name]
  const dark = mode === 'dark'
  const tint = hexOf({ lightness: dark ? 0.27 : 0.962, chroma: dark ? 0.045 : 0.03, hue })
  const start = { lightness: dark ? 0.72 : 0.6, chroma, hue }
  const text = withContrast(start, [...bases, tint], textRatio, dark ? 'lighter' : 'darker')
  return { text, tint }
}

/**
 * Derives every colour of one mode from the brand colour. The contrasts of `auditTheme` are
 * guaranteed.
 */
export function deriveTheme(brand: string, mode: Mode): ThemeTokens {
  const hex = brand.toLowerCase()
  const colour = oklchOf(hex)
  const neutral = neutralOf(colour)
  const dark = mode === 'dark'
  const away = dark ? 'lighter' : 'darker'
  const ground = groundsOf(neutral, mode)
  const bases = Object.values(ground)
  const ink = hexOf(neutral(dark ? 0.955 : 0.235))
  const ink2 = withContrast(neutral(dark ? 0.78 : 0.46), bases, 7, away)
  const success = meaningOf('success', mode, bases)
  const warning = meaningOf('warning', mode, bases)
  const danger = meaningOf('danger', mode, bases)
  const info = meaningOf('info', mode, bases)
  return {
    ...ground,
    line: hexOf(neutral(dark ? 0.315 : 0.905)),
    control: withContrast(neutral(dark ? 0.5 : 0.66), bases, edgeRatio, away),
    ink,
    ink2,
    ink3: withContrast(neutral(dark ? 0.7 : 0.55), bases, textRatio, away),
    focus: ink,
    ...brandsOf(hex, colour, mode, bases, { brand: ink, on: ink2 }),
    success: success.text,
    'success-tint': success.tint,
    warning: warning.text,
    'warning-tint': warning.tint,
    danger: danger.text,
    'danger-tint': danger.tint,
    info: info.text,
    'info-tint': info.tint,
  }
}

type Pair = [front: keyof ThemeTokens, back: keyof ThemeTokens, ratio: number]

/** Each pair of colours that can be used together, with the contrast ratio that it needs. */
const pairs: Pair[] = [
  ...grounds.flatMap((ground): Pair[] => [
    ['ink', ground, 7],
    ['ink2', ground, 7],
    ['ink3', ground, 4.5],
    ['focus', ground, 3],
    ['control', ground, 3],
    ['brand-text', ground, 4.5],
    ['brand-line', ground, 3],
    ['brand-edge', ground, 3],
  ]),
  ...meanings.flatMap((name) => grounds.map((ground): Pair => [name, ground, 4.5])),
  ...meanings.flatMap((name): Pair[] => [
    [name, `${name}-tint`, 4.5],
    ['ink', `${name}-tint`, 7],
  ]),
  ['ink', 'brand-tint', 7],
  ['ink2', 'brand-tint', 4.5],
  ['brand-text', 'brand-tint', 4.5],
  ['on-brand', 'brand', 4.5],
  ['on-brand', 'brand-hover', 4.5],
  ['on-brand', 'brand-press', 4.5],
]

/** Returns each pair of colours with too little contrast; an empty array if all are good. */
export function auditTheme(tokens: ThemeTokens): string[] {
  return pairs.flatMap(([front, back, ratio]) => {
    const found = contrast(tokens[front], tokens[back])
    return found >= ratio ? [] : [`${front} on ${back}: ${found.toFixed(2)}, needs ${ratio}`]
  })
}

const declarations = (tokens: ThemeTokens) =>
  Object.entries(tokens)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')

/** One stylesheet for both modes; the browser chooses by `prefers-color-scheme`. */
export function themeCss(brand: string): string {
  const light = declarations(deriveTheme(brand, 'light'))
  const dark = declarations(deriveTheme(brand, 'dark'))
  return `:root{${light}}@media (prefers-color-scheme:dark){:root{${dark}}}`
}
