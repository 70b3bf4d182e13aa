import { useState } from 'react'
import type { Coupon, Customer } from '../goods.ts'
import { api, messageOf } from './api.ts'

type CustomerPanelProps = {
  customer: Customer | null
  onFound: (customer: Customer) => void
  coupons: Coupon[]
  onCoupons: (coupons: Coupon[]) => void
  points: number
  onPoints: (points: number) => void
}

/** Finds the customer by phone number, and offers coupons and points for the sale. */
export function CustomerPanel(props: CustomerPanelProps) {
  const { customer, onFound, coupons, onCoupons, points, onPoints } = props
  if (customer === null) return <Find onFound={onFound} />
  const toggle = (coupon: Coupon) =>
    onCoupons(
      coupons.includes(coupon) ? coupons.filter((one) => one !== coupon) : [...coupons, coupon],
    )
  return (
    <>
      <legend>{customer.name}</legend>
      <p>
        {customer.tier} · {customer.points} points
      </p>
      {customer.coupons.length === 0 ? <p className="quiet">No coupons to use.</p> : null}
      <ul className="coupons">
        {customer.coupons.map((coupon) => (
          <li key={coupon.code}>
            <label>
              <input
                type="checkbox"
                checked={coupons.includes(coupon)}
                onChange={() => toggle(coupon)}
              />
              <span>
                {coupon.name}
                <small>{coupon.code}</small>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <label className="field">
        Points to spend
        <input
          type="number"
          inputMode="numeric"
          min={0}
          max={customer.points}
          step={100}
          value={points}
          onChange={(event) => onPoints(Math.max(0, Math.trunc(event.target.valueAsNumber || 0)))}
        />
      </label>
    </>
  )
}

function Find({ onFound }: { onFound: (customer: Customer) => void }) {
  const [problem, setProblem] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  async function find(form: FormData): Promise<void> {
    setIsBusy(true)
    setProblem('')
    const text = (name: string) => {
      const value = form.get(name)
      return typeof value === 'string' ? value.replaceAll(/\D/g, '') : ''
    }
    try {
      onFound(await api.find(text('countryCode'), text('mobile')))
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      <legend>Customer</legend>
      <form action={(form) => void find(form)} className="find">
        <label className="field short">
          Code
          <input name="countryCode" defaultValue="1" inputMode="tel" autoComplete="off" />
        </label>
        <label className="field">
          Phone number
          <input name="mobile" inputMode="tel" autoComplete="off" required />
        </label>
        <button type="submit" disabled={isBusy}>
          {isBusy ? 'Looking …' : 'Find'}
        </button>
      </form>
      <p role="alert">{problem}</p>
      <p className="quiet">Without a customer, the sale is stored without points.</p>
    </>
  )
}
