import type { getCustomRegisterConfig } from '@tillside/contract/company'
import type { Data } from '@tillside/contract/wire/endpoint'
import type { Context } from '../database/context.ts'
import { type Settings, textIn } from './definition.ts'
import { settingsOf } from './settings.ts'

/** Reads the register form, in the order of the company's file, with the current terms. */
export async function readRegisterConfig(
  context: Context<typeof getCustomRegisterConfig>,
): Promise<Data<typeof getCustomRegisterConfig>> {
  const { tx, company, language } = context
  const settings = await settingsOf(tx, company)
  const { register, terms } = settings
  const editable = editableFields(settings)
  return {
    fields: register.fields.map(({ labels, options, ...field }, index) => ({
      ...field,
      label: textIn(labels, language, settings),
      editable: editable.has(field.name),
      order: index + 1,
      options: options.map(({ code, names }) => ({
        code,
        name: textIn(names, language, settings),
      })),
    })),
    verification: register.verification,
    tnc: {
      version: terms.version,
      title: textIn(terms.titles, language, settings),
      url: terms.url,
      body: textIn(terms.bodies, language, settings),
    },
  }
}

/**
 * The profile fields that a clerk may change: those in `profileFields.editable`, without those that
 * the register form declares as not editable.
 */
export function editableFields(settings: Settings): ReadonlySet<string> {
  const fixed = new Set(settings.register.fields.filter((f) => !f.editable).map((f) => f.name))
  return new Set(settings.profileFields.editable.filter((name) => !fixed.has(name)))
}
