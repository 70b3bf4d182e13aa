import { deriveTheme, themeCss } from './theme.ts'

/**
 * Applies a company's colours to a page that the server has not coloured. A style sheet made by
 * script needs no inline style in the content security policy.
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
