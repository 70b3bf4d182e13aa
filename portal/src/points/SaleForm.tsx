import type { ExchangeRule } from '@tillside/contract/rules/exchange'
import { useLingui } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatPoints } from '../kit/text/format.ts'
import { useOnline } from '../kit/device/online.ts'
import { Button } from '../ui/page/Button.tsx'
import { ignoreComposing } from '../ui/field/composing.ts'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { TextField } from '../ui/field/TextField.tsx'
import {
  type Exchange,
  minimumPoints,
  readAmount,
  readPoints,
  suggestions,
  type ExchangeError,
  exchangeErrorOf,
} from './exchange.ts'
import { SaleResult } from './SaleResult.tsx'

export type Sale = { points: number; transactionAmount?: string; invoiceNumber?: string }

type SaleFormProps = {
  rule: ExchangeRule
  /** The points that the member can spend today; null if the clerk may not see them. */
  usable: number | null
  /** Why no points may be spent now, or null. */
  paused: string | null
  onSale: (sale: Sale) => void
}

/** The amount and the invoice number, so that the button stays above the tabs of a phone. */
const oneRow = 'grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-3 gap-y-4 expanded:grid-cols-1'

/**
 * Uses points against a sale. The amount of the sale is asked for only if a share rule needs it.
 */
export function SaleForm({ rule, usable, paused, onSale }: SaleFormProps) {
  const { t } = useLingui()
  const online = useOnline()
  const [amountText, setAmountText] = useState('')
  const [numberText, setNumberText] = useState('')
  const [pointsText, setPointsText] = useState('')
  // Errors are shown only after the clerk has left the field or submitted the form.
  const [left, setLeft] = useState({ amount: false, points: false })
  const form = useRef<HTMLFormElement>(null)
  const asksAmount = rule.maxShare !== null
  useEffect(() => {
    // Focus the amount, which must be typed. The points get the focus only on wide screens, where
    // an on-screen keyboard covers no chip, and not if the clerk arrived with the arrow keys.
    const byKeyboard = document.activeElement?.matches(':focus-visible') ?? false
    if (byKeyboard || (!asksAmount && !matchMedia('(width >= 64rem)').matches)) return
    // Only the invoice number, which is optional, takes more than digits.
    form.current?.querySelector<HTMLInputElement>('[inputmode]')?.focus({ preventScroll: true })
  }, [asksAmount])
  const amountBad = useAmountBad()
  const errorText = useErrorText(rule)
  const hint = useRuleHint(rule)
  const places = rule.decimals ?? 2
  const amount = asksAmount ? readAmount(amountText, places) : null
  const points = readPoints(pointsText)
  const invoiceNumber = numberText.trim()
  const exchange: Exchange = { rule, usable, amount, named: invoiceNumber !== '' }
  const error = exchangeErrorOf(points, exchange)
  const ready = !asksAmount || amount !== null
  const minimum = formatPoints(minimumPoints(rule))

  if (usable !== null && usable < minimumPoints(rule)) {
    return (
      <EmptyLine>
        {t({ id: 'ex.none', message: `The balance is below the minimum of ${minimum} points.` })}
      </EmptyLine>
    )
  }
  const use = (chosen: number) =>
    onSale({
      points: chosen,
      ...(amount === null ? {} : { transactionAmount: amount }),
      ...(invoiceNumber === '' ? {} : { invoiceNumber }),
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setLeft({ amount: true, points: true })
    if (paused === null && online && ready && points !== null && error === null) use(points)
  }
  const near = error?.kind === 'step' ? error.near : []
  const chips = near.length > 0 ? near : ready ? suggestions(exchange) : []
  const offline = t({ id: 'off.bar', message: "You're offline. Redeeming is paused." })
  const reason = online ? paused : offline
  const n = formatPoints(points ?? 0)
  const label =
    points === null || error !== null
      ? t({ id: 'ex.review', message: 'Use points' })
      : t({ id: 'ex.doSale', message: `Use ${n} points` })
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className="grid grid-cols-1 gap-5 expanded:grid-cols-2 expanded:gap-8"
    >
      <div className="flex flex-col gap-4">
        <div className={asksAmount ? oneRow : ''}>
          {asksAmount ? (
            <TextField
              label={t({ id: 'ex.amount', message: 'Sale amount' })}
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              value={amountText}
              onKeyDown={ignoreComposing}
              onChange={(event) => setAmountText(event.target.value)}
              onBlur={() => setLeft((now) => ({ ...now, amount: amountText !== '' }))}
              error={left.amount && amount === null ? amountBad(places) : undefined}
            />
          ) : null}
          <InvoiceNumber value={numberText} onChange={setNumberText} />
        </div>
        <TextField
          label={t({ id: 'ex.points', message: 'Points to use' })}
          inputMode="numeric"
          autoComplete="off"
          enterKeyHint="go"
          maxLength={20}
          value={pointsText}
          onKeyDown={ignoreComposing}
          onChange={(event) => setPointsText(event.target.value)}
          onBlur={() => setLeft((now) => ({ ...now, points: pointsText !== '' }))}
          hint={hint}
          error={left.points && error !== null ? errorText(error) : undefined}
        />
        <Chips
          values={chips}
          most={near.length > 0 || usable === null ? null : (chips[0] ?? null)}
          disabled={reason !== null}
          onChoose={(chosen) => {
            // The typed points are replaced by the chosen ones.
            setPointsText(String(chosen))
            use(chosen)
          }}
        />
      </div>
      <div className="flex flex-col gap-5 expanded:pt-6">
        <SaleResult points={error === null ? points : null} amount={amount} rule={rule} />
        <Button
          kind="filled"
          type="submit"
          disabled={reason !== null}
          reason={reason ?? undefined}
          className="w-full expanded:w-auto"
        >
          {label}
        </Button>
      </div>
    </form>
  )
}

type InvoiceNumberProps = { value: string; onChange: (value: string) => void }

function InvoiceNumber({ value, onChange }: InvoiceNumberProps) {
  const { t } = useLingui()
  return (
    <TextField
      label={t({ id: 'pt.invoice', message: 'Invoice no.' })}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={64}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      hint={t({
        id: 'ex.invoiceHint',
        message: 'Optional. If the goods are returned, the points come back.',
      })}
    />
  )
}

type ChipsProps = {
  values: readonly number[]
  /** The chip with the most points that can be used; null if the balance is not known. */
  most: number | null
  disabled: boolean
  onChoose: (points: number) => void
}

/** Pressing a chip submits it; the sheet then asks for confirmation. */
function Chips({ values, most, disabled, onChoose }: ChipsProps): ReactNode {
  const { t } = useLingui()
  if (values.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2">
      {values.map((value) => {
        const n = formatPoints(value)
        return (
          <Button
            key={value}
            kind="tonal"
            size="small"
            className="num"
            disabled={disabled}
            onClick={() => onChoose(value)}
          >
            {value === most ? t({ id: 'ex.maxChip', message: `Max ${n}` }) : n}
          </Button>
        )
      })}
    </div>
  )
}

/** The text of an amount that cannot be read, by the decimals of the currency. */
function useAmountBad(): (places: number) => string {
  const { t } = useLingui()
  return (places) => {
    if (places === 0)
      return t({ id: 'ex.amountWhole', message: 'Enter an amount without decimals' })
    return places === 2
      ? t({ id: 'ex.amountBad', message: 'Enter an amount with at most two decimals' })
      : t({ id: 'ex.amountThree', message: 'Enter an amount with at most three decimals' })
  }
}

/** A share from 0 to 1 as a percentage, without trailing zeros. */
function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}`
}

/** The text of a broken rule, shown at the field. */
function useErrorText(rule: ExchangeRule): (error: ExchangeError) => string {
  const { t } = useLingui()
  return (error) => {
    if (error.kind === 'positiveInt') {
      return t({ id: 'reg.positiveInt', message: 'Enter a whole number above 0' })
    }
    const n = formatPoints(error.limit)
    switch (error.kind) {
      case 'balance':
        return t({ id: 'ex.balance', message: `Not enough points. The balance is ${n}.` })
      case 'min':
        return t({ id: 'ex.min', message: `Use at least ${n} points.` })
      case 'max':
        return t({ id: 'ex.max', message: `Use ${n} points at most.` })
      case 'step':
        return t({ id: 'ex.step', message: `Use a multiple of ${n}.` })
      case 'share': {
        const p = percent(rule.maxShare ?? 1)
        return t({
          id: 'ex.share',
          message: `At most ${p}% of this sale can be paid with points: ${n} points.`,
        })
      }
    }
  }
}

/** All rules in one hint, shown before anything is typed. */
function useRuleHint({ minimum, maximum, increment, maxShare }: ExchangeRule): string {
  const { t } = useLingui()
  const a = formatPoints(minimum)
  const b = formatPoints(maximum)
  const n = formatPoints(increment)
  if (maxShare === null) {
    return t({ id: 'ex.hint', message: `${a}–${b} in steps of ${n}` })
  }
  const p = percent(maxShare)
  return t({ id: 'ex.hintShare', message: `${a}–${b} in steps of ${n}, up to ${p}% of the sale` })
}
