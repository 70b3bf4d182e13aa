import { useLingui } from '@lingui/react/macro'
import { useLanguage } from '../kit/text/language.ts'
import type { Field } from './values.ts'

/** What the company calls the field, and whether it may be left empty. */
export function FieldLabel({ field }: { field: Pick<Field, 'label' | 'required'> }) {
  const { t } = useLingui()
  // Chinese brackets bring their own room.
  const spaced = useLanguage() === 'en-US'
  return (
    <>
      {field.label}
      {field.required ? null : (
        <span className="font-normal">
          {spaced ? ' ' : ''}
          {t({ id: 'sys.optional', message: '(optional)' })}
        </span>
      )}
    </>
  )
}
