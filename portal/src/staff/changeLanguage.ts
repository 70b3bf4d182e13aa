import { t } from '@lingui/core/macro'
import { setLanguage } from '@tillside/contract/company'
import { nearestLanguage } from '@tillside/contract/rules/language-fit'
import { type Language, languages } from '@tillside/contract/wire/language'
import { chooseLanguage, company, refuseLanguage } from '../company/company.ts'
import { call } from '../kit/call/call.ts'
import { isCancelled, reasonOf } from '../kit/call/failure.ts'
import { session } from '../kit/call/session.ts'
import { currentLanguage } from '../kit/text/language.ts'
import { showToast } from '../ui/layer/toastStore.ts'

/** Changes the language at once and sends it to the server; undone if the server refuses it. */
export async function changeLanguage(chosen: Language): Promise<void> {
  const before = currentLanguage()
  try {
    await chooseLanguage(chosen)
    if (session.token() === null) return
    await call(setLanguage, { language: chosen }, { quiet: true })
  } catch (error) {
    if (isCancelled(error)) return
    await chooseLanguage(before)
    const failed = t({ id: 'set.langFailed', message: 'The language could not be changed.' })
    const reason = reasonOf(error)
    showToast({ tone: 'error', text: reason === null ? failed : `${failed} ${reason}` })
  }
}

/**
 * Follows `lang` in an address that was opened inside the portal (specification, section 2).
 * @param wish a language tag, such as `zh-TW` or `zh-Hant`
 */
export async function followLanguage(wish: string): Promise<void> {
  const language = nearestLanguage(company.get()?.languages ?? languages, wish)
  if (language === null) refuseLanguage()
  else if (language !== currentLanguage()) await changeLanguage(language)
}
