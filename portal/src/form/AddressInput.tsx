import { useLingui } from '@lingui/react/macro'
import PlusIcon from 'virtual:icons/plus'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { LoadFailed } from '../kit/page/LoadFailed.tsx'
import { Button } from '../ui/page/Button.tsx'
import { FieldGroup } from '../ui/field/FieldGroup.tsx'
import { SelectField } from '../ui/field/SelectField.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { TextField } from '../ui/field/TextField.tsx'
import { FieldLabel } from './FieldLabel.tsx'
import { usePlaces } from './places.ts'
import type { MemberForm } from './useMemberForm.ts'
import { useFieldErrorTexts } from './useFieldErrorTexts.ts'
import { type AddressPart, type Field, idOf, isEmpty, noAddress } from './values.ts'

type AddressInputProps = { field: Field; memberForm: MemberForm }

/** An address; collapsed until the clerk wants to enter one. */
export function AddressInput({ field, memberForm }: AddressInputProps) {
  const { t } = useLingui()
  const [open, setOpen] = useState(
    () => field.required || !isEmpty(field, memberForm.form.getValues()),
  )
  if (open) return <Parts field={field} memberForm={memberForm} />
  return (
    <div>
      <Button
        id={idOf(field)}
        kind="text"
        className="-ms-3"
        icon={<PlusIcon size={20} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {t({ id: 'reg.addAddress', message: 'Add address' })}
      </Button>
    </div>
  )
}

/** The levels of a place, widest first. */
const levels = ['country', 'province', 'city', 'district'] as const

function Parts({ field, memberForm }: AddressInputProps) {
  const { t } = useLingui()
  const errorText = useFieldErrorTexts()
  const { field: input, fieldState } = useController({
    control: memberForm.form.control,
    name: `place.${field.name}`,
  })
  const typed = input.value ?? noAddress
  const places = usePlaces(typed)
  const names: Record<AddressPart, string> = {
    country: t({ id: 'reg.country', message: 'Country or region' }),
    province: t({ id: 'reg.province', message: 'Province' }),
    city: t({ id: 'reg.city', message: 'City' }),
    district: t({ id: 'reg.district', message: 'District' }),
    detail: t({ id: 'reg.detail', message: 'Address' }),
  }
  const write = (part: AddressPart, value: string) => {
    const next = { ...typed, [part]: value }
    // The lower levels belong to the previous place, so they are cleared.
    if (part !== 'detail' && places[part].kind === 'list') {
      for (const lower of levels.slice(levels.indexOf(part) + 1)) next[lower] = ''
    }
    input.onChange(next)
    memberForm.form.clearErrors(`place.${field.name}`)
  }
  return (
    <FieldGroup
      label={<FieldLabel field={field} />}
      error={errorText(field, fieldState.error)}
      onLeave={() => {
        input.onBlur()
        memberForm.leave(field)
      }}
    >
      <div className="grid grid-cols-1 gap-3 medium:grid-cols-2">
        {levels.map((part) => {
          const place = places[part]
          const id = part === 'country' ? idOf(field) : undefined
          if (place.kind === 'none') return null
          if (place.kind === 'loading') return <Skeleton key={part} height="4.75rem" />
          if (place.kind === 'failed') {
            return (
              <LoadFailed key={part} error={place.error} onAgain={place.onAgain}>
                {t({ id: 'common.loadFailed', message: 'This could not be loaded.' })}
              </LoadFailed>
            )
          }
          return place.kind === 'list' ? (
            <SelectField
              key={part}
              id={id}
              label={names[part]}
              value={typed[part]}
              options={place.options}
              onChange={(code) => write(part, code)}
            />
          ) : (
            <TextField
              key={part}
              id={id}
              label={names[part]}
              value={typed[part]}
              autoComplete="off"
              onChange={(event) => write(part, event.target.value)}
            />
          )
        })}
        <TextField
          className="medium:col-span-2"
          label={names.detail}
          value={typed.detail}
          autoComplete="off"
          onChange={(event) => write('detail', event.target.value)}
        />
      </div>
    </FieldGroup>
  )
}
