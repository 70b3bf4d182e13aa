import { randomInt } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import type { Definition } from '@tillside/server/company/definition'
import { expect } from '../fixtures.ts'

type RegisterForm = Definition['register']
type Field = RegisterForm['fields'][number]

/** A number of New York that no member has: as a clerk types it, and in full. */
export function unusedMobile(): { typed: string; full: string } {
  const typed = `2014${randomInt(100_000, 1_000_000)}`
  return { typed, full: `+1${typed}` }
}

/** The verification code of a recipient, read from the developer's outbox. */
export async function codeSentTo(request: APIRequestContext, recipient: string): Promise<string> {
  let code = ''
  await expect(async () => {
    const page = await (await request.get('/web/outbox')).text()
    const [, message = ''] = page.split(`<b>${recipient}</b>`)
    code = /\b\d{6}\b/.exec(message.split('</pre>')[0] ?? '')?.[0] ?? ''
    expect(code).not.toBe('')
  }).toPass()
  return code
}

/** A change of a company: its own fields, and the contacts that need verification. */
export function withVerification(
  verification: RegisterForm['verification'],
  own: readonly Field[] = [],
): (definition: Definition) => Definition {
  return (definition) => {
    const { register } = definition
    const fields = register.fields.filter(({ name }) => name !== 'favouriteRoast')
    return { ...definition, register: { ...register, verification, fields: [...fields, ...own] } }
  }
}

const texts = (text: string) => ({
  'en-US': text,
  'zh-CN': text,
  'zh-HK': text,
  'zh-TW': text,
})

/** A field of the company's own, called the same in every language. */
export function customField(
  field: Pick<Field, 'name' | 'type'> & Partial<Field>,
  label: string,
): Field {
  return {
    labels: texts(label),
    required: false,
    editable: true,
    options: [],
    maxLength: null,
    minSelections: null,
    pattern: null,
    ...field,
  }
}

/** One of the choices of such a field. */
export function option(code: string, name: string): Field['options'][number] {
  return { code, names: texts(name) }
}

export const registerButton = (page: Page) =>
  page.getByRole('button', { name: 'Register', exact: true })

/** Opens the empty form and waits for its terms, which load last. */
export async function openForm(page: Page, company: string, query = ''): Promise<void> {
  await page.goto(`/${company}/member/search/register${query}`)
  await page.getByRole('checkbox', { name: 'I agree to the membership terms' }).waitFor()
}

/** Fills the mandatory fields of a registration except for the number. */
export async function fillName(page: Page, first = 'Nora', last = 'Bell'): Promise<void> {
  await page.getByLabel('First name').fill(first)
  await page.getByLabel('Last name').fill(last)
  await page.getByRole('checkbox', { name: 'I agree to the membership terms' }).check()
}
