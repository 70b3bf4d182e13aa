import { getCustomTheme, type Theme } from '@tillside/contract/company'
import { defaultLanguage, languages, type Language } from '@tillside/contract/wire/language'
import { call } from '../kit/call/call.ts'
import { deviceStorage } from '../kit/store/storage.ts'
import { createStore, useStore } from '../kit/store/store.ts'
import {
  chosenLanguage,
  fittingLanguage,
  keepLanguage,
  showLanguage,
} from '../kit/text/language.ts'

const current = createStore<Theme | null>(null)

/** The company that the address names, or null on the page that asks for one. */
export const company = { get: current.get, set: current.set }

/** The company's name, logo, languages and layout style. */
export function useTheme(): Theme {
  const theme = useStore(current)
  if (theme === null) throw new Error('no company: this component belongs inside one')
  return theme
}

/** The languages that may be chosen here: the company's, or all where there is none yet. */
export function useSupportedLanguages(): readonly Language[] {
  return useStore(current)?.languages ?? languages
}

const lastKey = 'tillside:identifier'

/** The company that this device served last: it hardly ever changes. */
export function lastIdentifier(): string {
  return deviceStorage.getItem(lastKey) ?? ''
}

/** Tells when another tab of this device turns to another company. */
export function onOtherCompany(onOther: () => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    // Null: it was cleared, which names no company.
    const isOther = newValue !== null && newValue !== current.get()?.identifier
    if (key === lastKey && isOther) onOther()
  })
}

/** Asks for a company's settings. */
export function fetchTheme(identifier: string): Promise<Theme> {
  return call(getCustomTheme, { xcrmIdentifier: identifier }, { quiet: true })
}

/** Takes up a company. @param painted whether the page already came in its colours */
export async function enterCompany(theme: Theme, painted: boolean): Promise<void> {
  current.set(theme)
  deviceStorage.setItem(lastKey, theme.identifier)
  document.title = theme.title
  if (!painted) {
    const { applyTheme } = await import('./applyTheme.ts')
    applyTheme(theme.theme.color)
  }
}

/**
 * The language to begin with. A choice that the company no longer supports is dropped.
 * @param wishes in order: the address's, then what the server's page found out
 */
export function firstLanguage(theme: Theme | null, wishes: readonly (string | null)[]): Language {
  return fittingLanguage(
    theme?.languages ?? languages,
    [...wishes, chosenLanguage(), ...navigator.languages],
    theme?.language ?? defaultLanguage,
  )
}

/** Shows another language and keeps the choice; the company's name and title follow. */
export async function chooseLanguage(language: Language): Promise<void> {
  const theme = current.get()
  await showLanguage(language)
  keepLanguage(language, theme?.identifier ?? null)
  if (theme === null) return
  try {
    await enterCompany(await fetchTheme(theme.identifier), true)
  } catch {
    // The old name stays: a language must not fail because a name did.
  }
}
