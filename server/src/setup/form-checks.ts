import { defaultProfileFields } from '@tillside/contract/company'
import type { Definition } from '../company/definition.ts'

/** A problem at a path of the definition. */
export type Finding = { path: readonly PropertyKey[]; message: string }

type Field = Definition['register']['fields'][number]

/** The known fields and their types. */
const knownTypes = new Map<string, Field['type']>([
  ['firstName', 'text'],
  ['lastName', 'text'],
  ['gender', 'select'],
  ['birthday', 'date'],
  ['mobile', 'mobile'],
  ['email', 'email'],
  ['address', 'region'],
])
/** Names of other fields in the same message; no form field may have them. */
const reservedNames = new Set(
  (
    'countryCode tncVersion marketingOptIn mobileVerification emailVerification memberCode ' +
    'cardNumber uniCustomerNo version customFields'
  ).split(' '),
)

/** Finds register forms that cannot be completed, and fields with two meanings. */
export function formFindings(definition: Definition): Finding[] {
  const { register, groups, profileFields } = definition
  const names = new Set(register.fields.map(({ name }) => name))
  const path = ['register', 'fields']
  const findings = register.fields.flatMap((field, index) =>
    fieldFindings(field).map(({ path: within, message }) => ({
      path: [...path, index, ...within],
      message,
    })),
  )
  const named = register.fields.some(
    ({ name, required }) => required && (name === 'firstName' || name === 'lastName'),
  )
  if (names.size > 0 && !named) {
    findings.push({ path, message: 'has no required firstName or lastName' })
  }
  const registers = groups.findIndex(({ permissions }) => permissions.includes('register'))
  if (names.size === 0 && registers !== -1) {
    const granted = ['groups', registers, 'permissions']
    findings.push({ path: granted, message: 'may register, but register.fields is empty' })
  }
  for (const contact of ['mobile', 'email'] as const) {
    if (!register.verification[contact] || names.has(contact)) continue
    findings.push({
      path: ['register', 'verification', contact],
      message: 'is not a field of the form',
    })
  }
  for (const list of ['shown', 'editable'] as const) {
    // Without `profileFields` the specification's fields apply; the form may lack some of them.
    if (profileFields[list].join() === defaultProfileFields[list].join()) continue
    for (const [index, name] of profileFields[list].entries()) {
      if (names.has(name) || (knownTypes.has(name) && names.size === 0)) continue
      findings.push({
        path: ['profileFields', list, index],
        message: `there is no field "${name}" in register.fields`,
      })
    }
  }
  return findings
}

function fieldFindings(field: Field): Finding[] {
  const { name, type, options, maxLength, minSelections, pattern } = field
  const findings: Finding[] = []
  const known = knownTypes.get(name)
  if (reservedNames.has(name) || name in Object.prototype)
    findings.push(at('name', 'is a reserved word'))
  if (known !== undefined && known !== type) findings.push(at('type', `of ${name} is ${known}`))
  if (known === undefined && (type === 'mobile' || type === 'region')) {
    findings.push(at('type', 'is only for the member’s own mobile or address'))
  }
  const chosen = type === 'select' || type === 'multiSelect'
  const codes = options.map(({ code }) => code)
  if (chosen && codes.length === 0) findings.push(at('type', 'needs options to choose from'))
  if (!chosen && codes.length > 0) findings.push(at('options', `are not used by type ${type}`))
  if (new Set(codes).size < codes.length) findings.push(at('options', 'has one code twice'))
  if (name === 'gender' && codes.some((code) => code !== 'F' && code !== 'M')) {
    findings.push(at('options', 'of gender are F and M'))
  }
  if (minSelections !== null && type !== 'multiSelect') {
    findings.push(at('minSelections', 'is for type multiSelect'))
  } else if (minSelections !== null && minSelections > codes.length) {
    findings.push(at('minSelections', `is more than the ${codes.length} options`))
  }
  if (type !== 'text') {
    if (maxLength !== null) findings.push(at('maxLength', 'is for type text'))
    if (pattern !== null) findings.push(at('pattern', 'is for type text'))
  }
  return findings
}

function at(field: string, message: string): Finding {
  return { path: [field], message }
}
