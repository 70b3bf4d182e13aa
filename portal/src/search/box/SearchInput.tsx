import { useLingui } from '@lingui/react/macro'
import { type ComponentProps, type ReactNode, type RefObject, useEffect } from 'react'
import { takesScans } from '../../kit/device/scan.ts'
import { useLanguage } from '../../kit/text/language.ts'
import { useCaret } from '../../member/useCaret.ts'
import { TextField } from '../../ui/field/TextField.tsx'
import { searchField } from '../SearchKeys.tsx'
import { type Method, methods, toHalfWidth, understand } from '../text/parse.ts'
import { useSearchTexts } from '../useSearchTexts.ts'
import type { Searching } from './useSearching.ts'

type InputProps = ComponentProps<'input'>

/** Long enough for every kind. */
const maxLength = 254

const keyboards: Record<Method | 'any', InputProps> = {
  // Most customers say a mobile number; the labels below the field bring the letters.
  any: { inputMode: 'tel', autoCapitalize: 'none' },
  mobile: { type: 'tel', inputMode: 'tel' },
  card: { inputMode: 'numeric' },
  code: { autoCapitalize: 'characters' },
  email: { type: 'email', inputMode: 'email' },
}

type SearchInputProps = {
  searching: Searching
  place: 'page' | 'header'
  /** The page shows its own keypad, so the device's keyboard stays hidden. */
  keypad?: boolean
  /** Inside the frame: the buttons to scan and to search. */
  trailing: ReactNode
}

/** The search field; it accepts every kind of look-up. */
export function SearchInput({ searching, place, keypad = false, trailing }: SearchInputProps) {
  const { t } = useLingui()
  const { methodNames, errorTexts } = useSearchTexts()
  const { field, input, busy, online, search, onType } = searching
  const { text, narrow, errorCode } = field
  useSelectTaken(input, field.taken)
  const language = useLanguage()
  const keepCaret = useCaret(input, text)
  const names = methods.map((method) => methodNames[method])
  const any = new Intl.ListFormat(language, { type: 'disjunction' }).format(names)
  const nextMember = t({ id: 'home.nextMember', message: 'Next member' })
  const isPage = place === 'page'
  const checkOnLeaving = () => {
    if (narrow !== 'email' || text === '') return
    if (understand(text, () => [], 'email') === 'emailBad') field.setErrorCode('emailBad')
  }
  return (
    <TextField
      // A new input for each keyboard: browsers change the one on the screen only for another
      // element.
      key={narrow ?? 'any'}
      ref={input}
      {...takesScans}
      {...searchField}
      {...keyboards[narrow ?? 'any']}
      {...(keypad ? { inputMode: 'none' } : {})}
      big={isPage}
      small={!isPage}
      // A long address must be readable as a whole.
      usualLetters={text.includes('@')}
      label={isPage ? (narrow === null ? any : methodNames[narrow]) : nextMember}
      labelHidden
      placeholder={
        isPage ? t({ id: 'search.placeholder', message: 'Number, code or email' }) : nextMember
      }
      value={text}
      readOnly={busy}
      disabled={!isPage && !online}
      aria-busy={busy}
      maxLength={maxLength}
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="search"
      error={isPage && errorCode !== null ? errorTexts[errorCode] : undefined}
      trailing={trailing}
      onChange={({ target, nativeEvent }) => {
        keepCaret(target)
        // Text that an input method is still composing must not be changed.
        const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing
        field.type(isComposing ? target.value : toHalfWidth(target.value), !search.isIdle)
        onType()
      }}
      onCompositionEnd={({ currentTarget }) => field.type(toHalfWidth(currentTarget.value), false)}
      onPaste={(event) => {
        const { selectionStart, selectionEnd, value } = event.currentTarget
        const isWhole = !search.isIdle || (selectionStart === 0 && selectionEnd === value.length)
        if (busy || !field.paste(event.clipboardData.getData('text'), isWhole)) return
        event.preventDefault()
        onType()
        requestAnimationFrame(() => input.current?.focus())
      }}
      onBlur={checkOnLeaving}
    />
  )
}

/** Selects a scanned or pasted text: it needs no correction, and the next one replaces it. */
function useSelectTaken(input: RefObject<HTMLInputElement | null>, taken: object | null) {
  useEffect(() => {
    if (taken !== null && document.activeElement === input.current) input.current?.select()
  }, [input, taken])
}
