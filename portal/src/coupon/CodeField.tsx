import { useLingui } from '@lingui/react/macro'
import BarcodeIcon from 'virtual:icons/barcode'
import { useMutation } from '@tanstack/react-query'
import type { Coupon } from '@tillside/contract/coupon'
import { isCouponCode, readCouponCode } from '@tillside/contract/rules/coupon-code'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isCancelled, reasonOf } from '../kit/call/failure.ts'
import { useOnline } from '../kit/device/online.ts'
import { takesScans, useScan } from '../kit/device/scan.ts'
import { Button } from '../ui/page/Button.tsx'
import { isSheetOpen } from '../ui/layer/interruption.ts'
import { TextField } from '../ui/field/TextField.tsx'
import { type CouponOwner, findCoupon, findByCode } from './coupons.ts'

type CodeFieldProps = {
  /** The coupons loaded so far. A code among them needs no request. */
  loaded: readonly Coupon[]
  /** A code selects its ticket instead of opening it. */
  picking: boolean
  /** A code that was scanned on another page; it is handled as if it had been scanned here. */
  wanted: string | null
  /** `wanted` is being handled, so it can be cleared. */
  onHandled: () => void
  /** `owner` is null if the coupon is among `loaded`, so belongs to this member. */
  onFound: (coupon: Coupon, owner: CouponOwner | null) => void
}

/** A field for the customer's coupon code, typed or scanned, with or without gaps. */
export function CodeField({ loaded, picking, wanted, onHandled, onFound }: CodeFieldProps) {
  const { t } = useLingui()
  const online = useOnline()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [errorText, setErrorText] = useState<string | undefined>()
  const finding = useMutation({ mutationFn: findCoupon, networkMode: 'always' })
  const label = t({ id: 'cpn.enterCode', message: 'Scan or enter a coupon code' })
  const failed = t({ id: 'common.loadFailed', message: 'This could not be loaded.' })

  const tell = (coupon: Coupon, owner: CouponOwner | null) => {
    setText('')
    onFound(coupon, owner)
    // The clerk may scan the next coupon right away.
    if (picking) field.current?.focus()
  }
  const refuse = (words: string) => {
    setErrorText(words)
    // Select the text, so that the next scan replaces it.
    field.current?.focus()
    field.current?.select()
  }
  const look = (code: string) => {
    const known = findByCode(loaded, code)
    if (known !== null) return tell(known, null)
    finding.mutate(code, {
      onSuccess: ({ member, ...coupon }) => tell(coupon, member),
      onError: (error) => {
        if (isCancelled(error)) return
        refuse(reasonOf(error) ?? failed)
      },
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (finding.isPending) return
    setErrorText(undefined)
    if (readCouponCode(text) !== '') look(text.trim())
    else refuse(t({ id: 'cpn.codeReq', message: 'Please enter the coupon code' }))
  }
  useScan(async (scanned, next) => {
    if (finding.isPending) return true
    const isOurs = isCouponCode(scanned) || findByCode(loaded, scanned) !== null
    // An open sheet asks about one coupon; another one must not replace it.
    if (isSheetOpen()) return isOurs || next()
    // A text that may be a member is first looked up as one: codes of other systems look like
    // cards.
    if ((!isOurs && (await next())) || readCouponCode(scanned) === '') return true
    setText(scanned)
    setErrorText(undefined)
    look(scanned)
    return true
  })
  const meet = useRef((_code: string) => {})
  useEffect(() => {
    meet.current = (code) => {
      onHandled()
      look(code)
    }
  })
  useEffect(() => {
    if (wanted !== null) meet.current(wanted)
  }, [wanted])
  return (
    <search>
      <form onSubmit={submit} className="flex flex-col gap-1.5" noValidate>
        <TextField
          {...takesScans}
          ref={field}
          label={label}
          labelHidden
          placeholder={label}
          value={text}
          error={errorText}
          readOnly={finding.isPending}
          disabled={!online && loaded.length === 0}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          aria-busy={finding.isPending}
          onChange={(event) => {
            setText(event.target.value)
            setErrorText(undefined)
          }}
          leading={<BarcodeIcon size={24} className="ms-3.5 shrink-0 text-ink2" aria-hidden />}
          trailing={
            <Button
              kind="text"
              size="small"
              type="submit"
              className="me-1 shrink-0"
              busy={finding.isPending}
            >
              {t({ id: 'cpn.find', message: 'Find' })}
            </Button>
          }
        />
      </form>
    </search>
  )
}
