import { useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useRef } from 'react'
import { useController } from 'react-hook-form'
import { useLanguage } from '../kit/text/language.ts'
import { ignoreComposing } from '../ui/field/composing.ts'
import { FieldGroup } from '../ui/field/FieldGroup.tsx'
import { useControlled } from '../ui/field/useControlled.ts'
import { dayDigits, dayLength, dayOrder, type DayPart, isPartWhole, noDay } from './day.ts'
import { FieldLabel } from './FieldLabel.tsx'
import type { MemberForm } from './useMemberForm.ts'
import { useFieldErrorTexts } from './useFieldErrorTexts.ts'
import { type Field, idOf } from './values.ts'

/**
 * A date in three fields, in the language's order. A calendar would need many steps back to a year
 * of birth.
 */
export function DayInput({ field, memberForm }: { field: Field; memberForm: MemberForm }) {
  const { t } = useLingui()
  const restore = useControlled()
  const errorText = useFieldErrorTexts()
  const order = dayOrder(useLanguage())
  const inputs = useRef<Partial<Record<DayPart, HTMLInputElement | null>>>({})
  const { field: input, fieldState } = useController({
    control: memberForm.form.control,
    name: `day.${field.name}`,
  })
  const typed = input.value ?? noDay
  const error = errorText(field, fieldState.error)
  const names: Record<DayPart, string> = {
    day: t({ id: 'day.day', message: 'Day' }),
    month: t({ id: 'day.month', message: 'Month' }),
    year: t({ id: 'day.year', message: 'Year' }),
  }
  const hints: Record<DayPart, string> = {
    day: t({ id: 'day.dd', message: 'DD' }),
    month: t({ id: 'day.mm', message: 'MM' }),
    year: t({ id: 'day.yyyy', message: 'YYYY' }),
  }
  const beside = (part: DayPart, by: 1 | -1) => {
    const next = order[order.indexOf(part) + by]
    return next === undefined ? null : (inputs.current[next] ?? null)
  }
  const type = (part: DayPart, text: string) => {
    const digits = dayDigits(text, part)
    input.onChange({ ...typed, [part]: digits })
    memberForm.form.clearErrors(`day.${field.name}`)
    if (digits.length > typed[part].length && isPartWhole(digits, part)) beside(part, 1)?.focus()
  }
  const back = (part: DayPart, event: KeyboardEvent) => {
    ignoreComposing(event)
    if (event.key !== 'Backspace' || typed[part] !== '') return
    event.preventDefault()
    beside(part, -1)?.focus()
  }
  return (
    <FieldGroup
      label={<FieldLabel field={field} />}
      error={error}
      onLeave={() => {
        input.onBlur()
        memberForm.leave(field)
      }}
    >
      <div className="flex gap-2">
        {order.map((part, index) => (
          <div
            key={part}
            className={
              'field-frame flex min-h-13 min-w-0 items-center rounded-field border bg-surface ' +
              `${error ? 'border-danger' : 'border-control'} ` +
              (part === 'year' ? 'max-w-28 flex-[3]' : 'max-w-20 flex-[2]')
            }
          >
            <input
              ref={(node) => {
                inputs.current[part] = node
              }}
              id={index === 0 ? idOf(field) : undefined}
              aria-label={names[part]}
              aria-invalid={error ? true : undefined}
              value={typed[part]}
              placeholder={hints[part]}
              inputMode="numeric"
              autoComplete="off"
              maxLength={dayLength[part]}
              // Select the text of a full field, so that typing replaces it.
              onFocus={(event) => event.target.select()}
              onChange={(event) => {
                type(part, event.target.value)
                restore()
              }}
              onKeyDown={(event) => back(part, event)}
              className={
                'num w-full min-w-0 self-stretch rounded-field bg-transparent px-2 text-center ' +
                'outline-none'
              }
            />
          </div>
        ))}
      </div>
    </FieldGroup>
  )
}
