import { useLingui } from '@lingui/react/macro'
import PrinterIcon from 'virtual:icons/printer'
import { useEffect, useRef, useState } from 'react'
import { deviceStorage } from '../kit/store/storage.ts'
import { Segmented } from '../ui/field/Segmented.tsx'
import { Sheet } from '../ui/layer/Sheet.tsx'
import { Button } from '../ui/page/Button.tsx'
import { type Paper, pageRule, papers, type SlipFacts } from './slip.ts'
import { SlipPaper } from './SlipPaper.tsx'
import './slip.css'

type SlipSheetProps = { open: boolean; facts: SlipFacts; onClose: () => void }

// The printer belongs to the till, so its paper is kept on the device, for every company.
const paperKey = 'tillside:paper'

/** Shows the slip before it is printed, and asks for the paper. */
export function SlipSheet({ open, facts, onClose }: SlipSheetProps) {
  const { t } = useLingui()
  const [paper, setPaper] = useState<Paper>(
    deviceStorage.getItem(paperKey) === 'sheet' ? 'sheet' : 'roll',
  )
  const slip = useRef<HTMLDivElement>(null)
  const page = usePage()
  const choose = (chosen: Paper) => {
    setPaper(chosen)
    deviceStorage.setItem(paperKey, chosen)
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t({ id: 'slip.title', message: 'Slip' })}
      actions={
        <>
          <Button
            kind="filled"
            size="large"
            icon={<PrinterIcon size={20} aria-hidden="true" />}
            onClick={() => {
              page.replaceSync(pageRule(paper, slip.current?.offsetHeight ?? 0))
              print()
            }}
          >
            {t({ id: 'tx.print', message: 'Print' })}
          </Button>
          <Button kind="text" size="large" onClick={onClose}>
            {t({ id: 'common.close', message: 'Close' })}
          </Button>
        </>
      }
    >
      <Segmented
        label={t({ id: 'slip.paper', message: 'Paper' })}
        options={[
          { value: 'roll', label: papers.roll },
          { value: 'sheet', label: papers.sheet },
        ]}
        value={paper}
        onChange={choose}
      />
      <div className="flex justify-center">
        <SlipPaper ref={slip} facts={facts} paper={paper} />
      </div>
    </Sheet>
  )
}

/** The style sheet of the page's size; it is part of the document while the slip is open. */
function usePage(): CSSStyleSheet {
  const [sheet] = useState(() => new CSSStyleSheet())
  useEffect(() => {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [sheet])
  return sheet
}
