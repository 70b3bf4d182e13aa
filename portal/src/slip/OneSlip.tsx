import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { shortOperation } from './code.ts'
import { useScannedOperation } from './useScannedOperation.ts'

/** Says that My shift shows the actions of one scanned slip, with the way back to all. */
export function OneSlip() {
  const { t } = useLingui()
  const operation = useScannedOperation()
  if (operation === null) return null
  const short = shortOperation(operation)
  return (
    <p className="num flex flex-wrap items-center gap-x-4">
      {t({ id: 'slip.one', message: `Slip ${short}` })}
      <Link {...paths.shift()} className="inline-flex min-h-11 items-center text-brand-text">
        {t({ id: 'slip.all', message: 'Show the whole day' })}
      </Link>
    </p>
  )
}
