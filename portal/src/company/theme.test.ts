import { readFileSync } from 'node:fs'
import { assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, hexOf, oklchOf } from './colour.ts'
import { auditTheme, deriveTheme, themeCss } from './theme.ts'

const modes = ['light', 'dark'] as const
const hardBrands = (
  '#ffffff #000000 #ffff00 #00ffff #ff00ff #00ff00 #ff0000 #0000ff #808080 #777777 #f5f5f5 ' +
  '#111111 #ffd400 #767676 #c8a97e #7f7f7f'
).split(' ')
const anyBrand = integer({ min: 0, max: 0xffffff }).map(
  (value) => `#${value.toString(16).padStart(6, '0')}`,
)

test.each(hardBrands)('%s is readable in both modes', (brand) => {
  for (const mode of modes) expect(auditTheme(deriveTheme(brand, mode))).toEqual([])
})

test('everything is readable with any brand', () => {
  assert(
    property(anyBrand, constantFrom(...modes), (brand, mode) => {
      expect(auditTheme(deriveTheme(brand, mode))).toEqual([])
    }),
    { numRuns: 400 },
  )
})

test('a brand on which a label is readable keeps its exact colour', () => {
  expect(deriveTheme('#00704A', 'light')).toMatchObject({
    brand: '#00704a',
    'on-brand': '#ffffff',
    canvas: '#f5f8f7',
    ink: '#1d1f1d',
    'brand-tint': '#e7f7ee',
  })
  expect(deriveTheme('#ffd400', 'dark')).toMatchObject({ brand: '#ffd400', 'on-brand': '#141412' })
})

test('a black brand becomes white in dark mode', () => {
  const { brand } = deriveTheme('#000000', 'dark')
  expect(contrast(brand, '#000000')).toBeGreaterThan(15)
})

test('a colour converts to OKLCH and back', () => {
  assert(property(anyBrand, (hex) => hexOf(oklchOf(hex)) === hex))
})

test('the audit names unreadable pairs', () => {
  const tokens = { ...deriveTheme('#00704a', 'light'), ink: '#ffffff' }
  expect(auditTheme(tokens)).toContain('ink on surface: 1.00, needs 7')
})

test('the stylesheet contains only colours', () => {
  expect(themeCss('#00704a')).toMatch(
    /^:root\{(--[a-z0-9-]+:#[0-9a-f]{6};?)+\}@media \(prefers-color-scheme:dark\)\{:root\{.+\}\}$/,
  )
})

test('the default palette is the theme of a neutral dark grey', () => {
  const palette = readFileSync(new URL('../ui/style/palette.css', import.meta.url), 'utf8')
  const [light = '', dark = ''] = palette.split('@media (prefers-color-scheme: dark)')
  for (const [part, mode] of [
    [light, 'light'],
    [dark, 'dark'],
  ] as const) {
    for (const [name, colour] of Object.entries(deriveTheme('#2b2b2b', mode))) {
      expect(part).toContain(`--${name}: ${colour};`)
    }
  }
})
