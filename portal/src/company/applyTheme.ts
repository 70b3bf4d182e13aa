import { deriveTheme, themeCss } from './theme.ts'

/**
 * Colours a page that the server did not colour. The sheet is made in script, so that no inline
 * style needs allowing.
 */
export function applyTheme(brand: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(themeCss(brand))
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  for (const mode of ['light', 'dark'] as const) {
    const meta = document.createElement('meta')
    meta.name = 'theme-color'
    meta.media = `(prefers-color-scheme: ${mode})`
    meta.content = deriveTheme(brand, mode).surface
    document.head.append(meta)
  }
}
