import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Notice } from '../ui/page/Notice.tsx'

/** Shown for a link whose look-up is invalid (specification, section 2). */
export function BadLink(): ReactNode {
  const { t } = useLingui()
  return (
    <Notice tone="info">
      {t({
        id: 'search.badLink',
        message: 'This link does not say clearly which member it is for.',
      })}
    </Notice>
  )
}
