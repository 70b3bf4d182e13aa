import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { Button } from '../../ui/page/Button.tsx'
import { Skeleton } from '../../ui/page/Skeleton.tsx'
import { Sheet } from '../../ui/layer/Sheet.tsx'
import { Loaded } from './Loaded.tsx'

type ExplainSheetProps<T> = { open: boolean; title: string; onClose: () => void } & Omit<
  ComponentProps<typeof Loaded<T>>,
  'skeleton'
>

/** A sheet that explains a figure of the page and changes nothing. */
export function ExplainSheet<T>({ open, title, onClose, ...loaded }: ExplainSheetProps<T>) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <Button kind="outlined" size="large" onClick={onClose}>
          {t({ id: 'common.close', message: 'Close' })}
        </Button>
      }
    >
      <Loaded {...loaded} skeleton={<Skeleton height="10rem" radius="card" />} />
    </Sheet>
  )
}
