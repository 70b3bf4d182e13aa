import { createHash } from 'node:crypto'
import { I18nProvider } from '@lingui/react'
import { setupI18n, type Messages } from '@lingui/core'
import type { Theme } from '@tillside/contract/company'
import type { Language, PerLanguage } from '@tillside/contract/wire/language'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { script } from 'virtual:ahead-script'
import { manifest, styles as sheet, version } from 'virtual:built-assets'
import type { Boot } from './company/boot.ts'
import { company } from './company/company.ts'
import { IdentifierSetPage } from './company/IdentifierSetPage.tsx'
import { Logo } from './company/Logo.tsx'
import { deriveTheme, themeCss } from './company/theme.ts'
import tillsideIcon from './company/tillside.svg'
import { setCurrentLanguage } from './kit/text/language.ts'
import { messages as enUS } from './locales/en-US.po'
import { messages as zhCN } from './locales/zh-CN.po'
import { messages as zhHK } from './locales/zh-HK.po'
import { messages as zhTW } from './locales/zh-TW.po'
import { PracticeBar } from './practice/PracticeBar.tsx'
import { EntryFrame } from './shell/EntryFrame.tsx'
import { Header } from './shell/Header.tsx'
import { OfflinePage } from './shell/OfflinePage.tsx'
import { LoginPage } from './staff/LoginPage.tsx'
import { screens as layouts } from './ui/page/useMedia.ts'
import { SlowLoadNotice } from './watch/SlowLoadNotice.tsx'

export type FirstPageInput = {
  /** Null if no company is known: on the page that asks for one, or for an unknown identifier. */
  theme: Theme | null
  identifier: string | null
  language: Language
  frame: 'login' | 'identifier' | 'app' | 'offline'
  /** The path of the address; the scripts of its screen are preloaded. */
  pathname?: string | undefined
  /** The address of the API; if absent or empty, the API is on the page's own origin. */
  api?: string | undefined
}

export type FirstPage = {
  html: string
  /** `sha256-…` of each inline style, for `style-src` in the content security policy. */
  styleHashes: string[]
  /** The same for `script-src`. */
  scriptHashes: string[]
}

const catalogues: PerLanguage<Messages> = {
  'en-US': enUS,
  'zh-CN': zhCN,
  'zh-HK': zhHK,
  'zh-TW': zhTW,
}

/** Renders the first document: with the company's colours, in the language, and with its form. */
export function renderFirstPage(input: FirstPageInput): FirstPage {
  const { theme, language, frame } = input
  const styles = theme === null ? [sheet] : [sheet, themeStyle(theme.theme.color)]
  const boot: Boot = { theme, language, version, ...(input.api ? { api: input.api } : {}) }
  const head = [
    '<meta charset="utf-8">',
    ...(frame === 'app' ? [scriptIn(input)] : []),
    '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">',
    `<title>${escaped(theme?.title ?? 'Tillside')}</title>`,
    ...(theme === null ? [] : themeColours(theme.theme.color)),
    ...styles.map((style) => `<style>${style}</style>`),
    ...(theme === null ? [] : [logoPreload(theme.logo), manifestLink(theme.identifier)]),
    ...(frame === 'offline' ? [] : assetLinks(input)),
    `<link rel="icon" href="${escaped(theme?.logo ?? tillsideIcon)}">`,
  ]
  const body = [
    `<div id="root">${renderFrame(input)}</div>`,
    `<script type="application/json" id="boot">${inScript(boot)}</script>`,
  ]
  return {
    html:
      `<!doctype html><html lang="${language}"><head>${head.join('')}</head>` +
      `<body>${body.join('')}</body></html>`,
    styleHashes: styles.map(hashOf),
    scriptHashes: frame === 'app' ? [hashOf(script)] : [],
  }
}

/** Asks for what the address names, before anything else of the page is read. */
function scriptIn({ api }: FirstPageInput): string {
  return `<script${api ? ` data-api="${escaped(api)}"` : ''}>${script}</script>`
}

// Deriving a palette takes some hundred colour conversions, and there are few companies.
const themeStyles = new Map<string, string>()

function themeStyle(brand: string): string {
  const known = themeStyles.get(brand) ?? themeCss(brand)
  themeStyles.set(brand, known)
  return known
}

function manifestLink(identifier: string): string {
  return `<link rel="manifest" href="/web/app/${escaped(identifier)}/manifest.webmanifest">`
}

/** The logo is usually the largest contentful paint. */
function logoPreload(address: string): string {
  return `<link rel="preload" href="${escaped(address)}" as="image" fetchpriority="high">`
}

function themeColours(brand: string): string[] {
  return (['light', 'dark'] as const).map((mode) => {
    const { surface } = deriveTheme(brand, mode)
    return `<meta name="theme-color" media="(prefers-color-scheme:${mode})" content="${surface}">`
  })
}

function renderFrame(input: FirstPageInput) {
  const { theme, language, frame } = input
  // Rendering is synchronous, so no other request can change this state in between.
  company.set(theme)
  setCurrentLanguage(language)
  const i18n = setupI18n({ locale: language, messages: { [language]: catalogues[language] } })
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      {theme?.practice === true && <PracticeBar />}
      {frameOf(input)}
      {frame === 'offline' ? null : <SlowLoadNotice />}
    </I18nProvider>,
  )
}

const later = () => undefined

function frameOf({ theme, frame, pathname = '' }: FirstPageInput): ReactNode {
  if (theme === null || frame === 'identifier') {
    return (
      <EntryFrame>
        <IdentifierSetPage onFound={later} />
      </EntryFrame>
    )
  }
  if (frame === 'offline') return <OfflinePage />
  if (frame === 'app') {
    const isOfMember = pathname.includes('/member/home/')
    return <Header logo={<Logo />} settings={null} isOfMember={isOfMember} />
  }
  return (
    <EntryFrame>
      <LoginPage logo={<Logo />} onLoggedIn={later} onCompanyGone={later} onBegun={later} />
    </EntryFrame>
  )
}

/**
 * Preloads everything the page needs, so that no file is discovered late. Only a wide screen has a
 * search in a member's header.
 */
function assetLinks({ language, frame, pathname = '' }: FirstPageInput): string[] {
  const entry = manifest['src/main.tsx']
  if (entry === undefined) throw new Error('the browser build has no src/main.tsx')
  const screens = frame === 'app' ? screensOf(pathname) : []
  const wide = pathname.includes('/member/home/') ? withImports([chunkOf('search')]) : []
  const texts = `src/locales/${language}.po${frame === 'app' ? '' : '?first'}`
  const wanted = withImports(['src/main.tsx', texts, ...screens])
  const sheets = screens.flatMap((name) => manifest[name]?.css ?? [])
  return [
    `<script type="module" src="/${entry.file}"></script>`,
    ...wanted
      .filter((file) => file !== entry.file)
      .map((file) => `<link rel="modulepreload" href="/${file}">`),
    ...wide
      .filter((file) => !wanted.includes(file))
      .map((file) => `<link rel="modulepreload" href="/${file}" media="${layouts.expanded}">`),
    ...sheets.map((file) => `<link rel="preload" href="/${file}" as="style" crossorigin>`),
  ]
}

function screensOf(pathname: string): string[] {
  const [, , area, place] = pathname.split('/')
  const counter = chunkOf('counter')
  if (area !== 'member') return [counter, 'src/shell/ModuleSelectPage.tsx']
  return place === 'search' ? [counter, chunkOf('search')] : [counter]
}

/** The key in the manifest of a file that several modules share (`files` in vite.config.ts). */
function chunkOf(shared: string): string {
  const found = Object.keys(manifest).find((name) => manifest[name]?.name === shared)
  if (found === undefined) throw new Error(`the browser build has no ${shared}`)
  return found
}

/** The files in the order in which they run: a file comes after those that it imports. */
function withImports(names: readonly string[]): string[] {
  const visited = new Set<string>()
  const files: string[] = []
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (chunk === undefined || visited.has(chunk.file)) return
    visited.add(chunk.file)
    chunk.imports?.forEach(visit)
    files.push(chunk.file)
  }
  names.forEach(visit)
  return files
}

function hashOf(inline: string): string {
  return `sha256-${createHash('sha256').update(inline).digest('base64')}`
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities.get(character) ?? '')
}

/** Escapes JSON so that it cannot close the `<script>` that contains it. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
