import { useLingui } from '@lingui/react/macro'
import CaretDownIcon from 'virtual:icons/caret-down'
import type { ComponentProps, RefObject } from 'react'
import { takesScans } from '../kit/device/scan.ts'
import { useCaret } from '../member/useCaret.ts'
import { TextField } from '../ui/field/TextField.tsx'
import { searchField } from './SearchKeys.tsx'
import { type Method, toHalfWidth, parseAs } from './parse.ts'
import type { SearchField } from './useSearchField.ts'
import { useSearchTexts } from './useSearchTexts.ts'

type InputProps = ComponentProps<'input'>

/** Whatever is typed under the wrong method still has to fit. */
const maxLength = 254

const keyboards: Record<Method, InputProps> = {
  mobile: { type: 'tel', inputMode: 'tel' },
  card: { inputMode: 'numeric' },
  code: { autoCapitalize: 'characters' },
  email: { type: 'email', inputMode: 'email' },
}

type SearchInputProps = {
  field: SearchField
  input: RefObject<HTMLInputElement | null>
  busy: boolean
  /** The page has keys of its own, so the device's keyboard stays away. */
  keypad: boolean
  onType: () => void
}

/** The one big field; it takes whatever a customer shows. */
export function SearchInput({ field, input, busy, keypad, onType }: SearchInputProps) {
  const { methodNames, troubles } = useSearchTexts()
  const { method, text, trouble } = field
  const keepCaret = useCaret(input, text)
  const checkOnLeaving = () => {
    if (method !== 'email' || text === '') return
    if (parseAs('email', text, () => null) === 'emailBad') field.setTrouble('emailBad')
  }
  return (
    <TextField
      // Another keyboard needs another input: browsers keep the old one while it has the focus.
      key={method}
      ref={input}
      {...takesScans}
      {...searchField}
      {...keyboards[method]}
      {...(keypad ? { inputMode: 'none' } : {})}
      big={method !== 'email'}
      label={methodNames[method]}
      labelHidden
      value={text}
      readOnly={busy}
      maxLength={maxLength}
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="search"
      error={trouble === null ? undefined : troubles[trouble]}
      leading={
        method === 'mobile' ? (
          <CallingCode
            value={field.callingCode}
            options={field.callingCodes}
            disabled={busy}
            onChange={(code) => {
              field.chooseCountry(code)
              onType()
              input.current?.focus()
            }}
          />
        ) : undefined
      }
      onChange={({ target, nativeEvent }) => {
        if (method === 'mobile') keepCaret(target)
        // What an input method is still putting together is its own.
        const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing
        field.type(isComposing ? target.value : toHalfWidth(target.value))
        onType()
      }}
      onCompositionEnd={({ currentTarget }) => field.type(toHalfWidth(currentTarget.value))}
      onPaste={(event) => {
        if (busy || !field.paste(event.clipboardData.getData('text'))) return
        event.preventDefault()
        onType()
        // Another method brought another input; the clerk goes on typing in it.
        requestAnimationFrame(() => input.current?.focus())
      }}
      onBlur={checkOnLeaving}
    />
  )
}

type CallingCodeProps = {
  value: string
  options: readonly string[]
  disabled: boolean
  onChange: (value: string) => void
}

/** The country of a number; where the company knows only one it is no choice. */
function CallingCode({ value, options, disabled, onChange }: CallingCodeProps) {
  const { t } = useLingui()
  const look = 'num text-title font-normal text-ink2'
  if (options.length < 2) return <span className={`${look} ps-4`}>+{value}</span>
  return (
    <span className="relative flex items-center self-stretch">
      <select
        aria-label={t({ id: 'search.callingCode', message: 'Country code' })}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
        className={`${look} h-full appearance-none rounded-field bg-transparent ps-3.5 pe-7`}
      >
        {options.map((code) => (
          <option key={code} value={code} className="bg-surface text-ink">
            +{code}
          </option>
        ))}
      </select>
      <CaretDownIcon
        size={16}
        className="pointer-events-none absolute end-1.5 text-ink2"
        aria-hidden="true"
      />
    </span>
  )
}
