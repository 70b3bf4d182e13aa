import { useLingui } from '@lingui/react/macro'
import { useLanguage } from '../kit/text/language.ts'
import type { Field } from './values.ts'

/** The company's label of the field, and whether the field is optional. */
export function FieldLabel({ field }: { field: Pick<Field, 'label' | 'required'> }) {
  const { t } = useLingui()
  // Full-width Chinese brackets include their space.
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
