import { useState } from 'react'
import { moneyOf } from '../amounts.ts'
import type { Return, Sale, SoldLine } from '../goods.ts'
import { api, messageOf } from './api.ts'

/** The receipt, from which single goods can be returned. */
export function Receipt({ sale, onNext }: { sale: Sale; onNext: () => void }) {
  return (
    <section aria-label="Receipt" className="receipt">
      <h2>
        Sold
        <small>{sale.invoiceNumber}</small>
      </h2>
      <ul>
        {sale.lines.map((line) => (
          <ReceiptLine key={line.sku} sale={sale} line={line} />
        ))}
      </ul>
      <dl>
        <Row label="Total" value={moneyOf(sale.total)} />
        {sale.discount > 0 ? <Row label="Coupons" value={`−${moneyOf(sale.discount)}`} /> : null}
        {sale.byPoints > 0 ? <Row label="Points" value={`−${moneyOf(sale.byPoints)}`} /> : null}
        <Row label="Paid" value={moneyOf(sale.toPay)} />
        {sale.earned === null ? null : <Row label="Earned" value={`${sale.earned} points`} />}
      </dl>
      <button type="button" className="pay" onClick={onNext}>
        Next customer
      </button>
    </section>
  )
}

function Row({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** When a return began: the same in its repeats, so that they are one return. */
const newTime = () => new Date().toISOString().replace(/\.\d+/, '')

function ReceiptLine({ sale, line }: { sale: Sale; line: SoldLine }) {
  const [results, setResults] = useState<Return[]>([])
  const [at, setAt] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  async function takeBack(): Promise<void> {
    const time = at ?? newTime()
    setAt(time)
    setIsBusy(true)
    setProblem('')
    try {
      setResults([...results, await api.takeBack(sale.invoiceNumber, line.sku, time)])
      setAt(null)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <li>
      <span>
        {line.quantity} × {line.name}
        {results.map(({ unit, moneyBack, pointsBack, pointsTaken }) => (
          <small key={unit}>
            Returned: {moneyBack} back
            {pointsBack > 0 ? `, ${pointsBack} points back` : ''}
            {pointsTaken > 0 ? `, ${pointsTaken} points taken` : ''}
          </small>
        ))}
        {problem === '' ? null : <small role="alert">{problem}</small>}
      </span>
      <b>{moneyOf(line.spend)}</b>
      <button
        type="button"
        disabled={isBusy || results.length >= line.quantity}
        aria-label={`Return one ${line.name}`}
        onClick={() => void takeBack()}
      >
        Return
      </button>
    </li>
  )
}
