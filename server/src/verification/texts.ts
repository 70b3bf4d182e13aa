import type { PerLanguage } from '@tillside/contract/wire/language'
import type { Content } from './message.ts'

type Words = (company: string, code: string) => string

// In mainland China a short message begins with its sender in these brackets.
const texts: PerLanguage<Words> = {
  'en-US': (company, code) =>
    `${company}: your verification code is ${code}. It is valid for 5 minutes. ` +
    'Tell it only to the person who is serving you.',
  'zh-CN': (company, code) =>
    `【${company}】您的验证码为${code}，5分钟内有效。请仅告知正在为您服务的店员。`,
  'zh-HK': (company, code) =>
    `【${company}】您的驗證碼是${code}，5分鐘內有效。請只告訴正在為您服務的店員。`,
  'zh-TW': (company, code) =>
    `【${company}】您的驗證碼為${code}，5分鐘內有效。請僅告知正在為您服務的門市人員。`,
}
// The subject must not contain the code: it is shown on locked screens.
const subjects: PerLanguage<(company: string) => string> = {
  'en-US': (company) => `${company}: your verification code`,
  'zh-CN': (company) => `${company}：您的验证码`,
  'zh-HK': (company) => `${company}：您的驗證碼`,
  'zh-TW': (company) => `${company}：您的驗證碼`,
}

/** The message with a verification code, as the customer reads it. */
export function codeMessage(language: keyof typeof texts, company: string, code: string): Content {
  const subject = subjects[language](company)
  return { sender: company, subject, text: texts[language](company, code) }
}
