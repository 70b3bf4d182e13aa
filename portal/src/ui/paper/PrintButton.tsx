import { useLingui } from '@lingui/react/macro'
import PrinterIcon from 'virtual:icons/printer'
import { Button } from '../page/Button.tsx'

/** Prints the page's part with `data-print`; it is not printed itself. */
export function PrintButton() {
  const { t } = useLingui()
  return (
    <span className="-mx-3 print:hidden">
      <Button
        kind="text"
        size="small"
        icon={<PrinterIcon size={20} aria-hidden="true" />}
        onClick={() => print()}
      >
        {t({ id: 'tx.print', message: 'Print' })}
      </Button>
    </span>
  )
}
