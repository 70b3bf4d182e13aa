import { readFileSync } from 'node:fs'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import { languages } from '@tillside/contract/wire/language'

const usesTexts = /from '@lingui\/(?:core|react)\/macro'/
const usedText = /\bid(?:=|:\s*)["']([a-zA-Z0-9]+(?:\.\w+)+)["']/g
const entry = /^msgid "(.+)"\nmsgstr ((?:"(?:.*)"\n?)+)/gm

/** The texts that are needed before login; all others are loaded after it. */
const groups = 'idn|login|link|perm|set|slow|tab|upd'
const common = 'cancel|close|continue|loadFailed|ok|retry'
const offline = 'short|title|page'
const readFirst = new RegExp(
  String.raw`^(?:(?:${groups})\..+|common\.(?:${common})|off\.(?:${offline})|sys\.langInvalid)$`,
)

/** Screens that may be shown before login without being part of the login page. */
const inShell = 'LoadFailedPage|waiting/PendingPage|SettingsMenu'
const onWatch = 'ForcedLogout|OtherIdentifier|UpgradeBanner'
const screens = `kit/page/Waiting|staff/LinkLogin|shell/(?:${inShell})|watch/(?:${onWatch})`
const shownFirst = new RegExp(String.raw`/src/(?:${screens})\.tsx$`)

function textsOf(language: string): Map<string, string> {
  const catalogue = readFileSync(`src/locales/${language}.po`, 'utf8')
  const texts = new Map<string, string>()
  for (const [, id = '', lines = ''] of catalogue.matchAll(entry)) {
    const parts = lines.trim().split('\n')
    const read: unknown[] = parts.map((part) => JSON.parse(part))
    texts.set(id, read.join(''))
  }
  return texts
}

/** `en-US.po?first` is the part of the catalogue that the login page waits for. */
export function firstTexts(): Plugin {
  return {
    name: 'tillside-first-texts',
    enforce: 'pre',
    load: {
      filter: { id: /\.po\?first$/ },
      handler(id) {
        const language = /([\w-]+)\.po\?first$/.exec(id)?.[1] ?? ''
        const texts = [...textsOf(language)].filter(([name]) => readFirst.test(name))
        const compiled = texts.map(([name, text]) => [name, compileMessage(text)])
        const json = JSON.stringify(JSON.stringify(Object.fromEntries(compiled)))
        return { code: `export const messages = JSON.parse(${json})`, moduleType: 'js' }
      },
    },
  }
}

/**
 * Lingui fails on a text without a translation. This plugin fails on a text that is in no
 * catalogue, and on one that is shown before login but not in the first part.
 */
export function everyTextTranslated(): Plugin {
  const used = new Map<string, string[]>()
  return {
    name: 'tillside-every-text-translated',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!usesTexts.test(code)) return
      used.set(
        id,
        [...code.matchAll(usedText)].map(([, text = '']) => text),
      )
    },
    buildEnd() {
      const ids = new Set([...used.values()].flat())
      for (const language of languages) {
        const known = textsOf(language)
        const missing = [...ids].filter((text) => !known.has(text))
        if (missing.length > 0) {
          this.error(`src/locales/${language}.po lacks: ${missing.sort().join(', ')}`)
        }
      }
    },
    generateBundle(_, bundle) {
      const early = new Set([...used.keys()].filter((module) => shownFirst.test(module)))
      const visit = (name: string): void => {
        const chunk = bundle[name]
        if (chunk?.type !== 'chunk') return
        chunk.moduleIds.forEach((module) => early.add(module))
        chunk.imports.forEach(visit)
      }
      const start = Object.values(bundle).find((chunk) => chunk.type === 'chunk' && chunk.isEntry)
      if (start !== undefined) visit(start.fileName)
      const late = [...early].flatMap((module) => used.get(module) ?? [])
      const missing = [...new Set(late)].filter((text) => !readFirst.test(text))
      if (missing.length > 0) {
        this.error(`shown before login, but not read first (vite.texts.ts): ${missing.join(', ')}`)
      }
    },
  }
}
