import { t } from '@lingui/core/macro'
import { fittingLanguage } from '@tillside/contract/rules/language-fit'
import { getCustomTheme, type Theme } from '@tillside/contract/company'
import { defaultLanguage, languages, type Language } from '@tillside/contract/wire/language'
import { call } from '../kit/call/call.ts'
import { deviceStorage } from '../kit/store/storage.ts'
import { createStore, useStore } from '../kit/store/store.ts'
import { savedLanguage, saveLanguage, showLanguage } from '../kit/text/language.ts'
import { showToast } from '../ui/layer/toastStore.ts'

const current = createStore<Theme | null>(null)

/** The company that the address names, or null on the page that asks for one. */
export const company = current

/** The company's name, logo, languages and layout style. */
export function useTheme(): Theme {
  const theme = useStore(current)
  if (theme === null) throw new Error('no company: this component belongs inside one')
  return theme
}

/** The languages of the company, or all languages if there is no company yet. */
export function useSupportedLanguages(): readonly Language[] {
  return useStore(current)?.languages ?? languages
}

const lastKey = 'tillside:identifier'

/** The company that this device used last. It rarely changes, so it is offered first. */
export function lastIdentifier(): string {
  return deviceStorage.getItem(lastKey) ?? ''
}

/** Calls `onOther` when another tab of this device opens another company. */
export function onOtherCompany(onOther: () => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    // Null means that the storage was cleared, which names no company.
    const isOther = newValue !== null && newValue !== current.get()?.identifier
    if (key === lastKey && isOther) onOther()
  })
}

/** Loads a company's settings from the server. */
export function fetchTheme(identifier: string): Promise<Theme> {
  return call(getCustomTheme, { xcrmIdentifier: identifier }, { quiet: true })
}

/**
 * Makes a company the current one.
 * @param painted whether the page already has the company's colours
 */
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
 * The language to start with. A saved choice that the company no longer supports is ignored.
 * @param wishes in order of priority: from the address, then from the server's boot data
 */
export function firstLanguage(theme: Theme | null, wishes: readonly (string | null)[]): Language {
  return fittingLanguage(
    theme?.languages ?? languages,
    [...wishes, savedLanguage(), ...navigator.languages],
    theme?.language ?? defaultLanguage,
  )
}

/** Says that the company does not have the language of a link (specification, section 8). */
export function refuseLanguage(): void {
  const text = t({ id: 'sys.langInvalid', message: 'This language is not supported.' })
  showToast({ tone: 'error', text })
}

/** Changes the language and saves the choice. The company's name and title are loaded again. */
export async function chooseLanguage(language: Language): Promise<void> {
  const theme = current.get()
  await showLanguage(language)
  saveLanguage(language, theme?.identifier ?? null)
  if (theme === null) return
  try {
    await enterCompany(await fetchTheme(theme.identifier), true)
  } catch {
    // Keep the old name and title: the language has been changed either way.
  }
}
