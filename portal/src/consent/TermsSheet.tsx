import { useLingui } from '@lingui/react/macro'
import type { RegisterConfig } from '@tillside/contract/company'
import { lazy, Suspense } from 'react'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Tick } from '../ui/Tick.tsx'

const Markdown = lazy(async () => ({ default: (await import('../ui/Markdown.tsx')).Markdown }))

export type Terms = RegisterConfig['tnc']

type TermsSheetProps = {
  open: boolean
  terms: Terms
  agreed: boolean
  onAgree: (agreed: boolean) => void
  onClose: () => void
}

/** The terms to be read, with the same box under them. */
export function TermsSheet({ open, terms, agreed, onAgree, onClose }: TermsSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={terms.title}
      actions={
        <Button kind="outlined" size="large" onClick={onClose}>
          {t({ id: 'common.done', message: 'Done' })}
        </Button>
      }
    >
      <TermsText terms={terms} />
      <Tick
        label={t({ id: 'reg.terms', message: 'I agree to the membership terms' })}
        checked={agreed}
        onChange={onAgree}
      />
    </Sheet>
  )
}

/** What the company wrote, and where else it can be found. */
export function TermsText({ terms }: { terms: Terms }) {
  return (
    <>
      <Suspense fallback={<Skeleton height="16rem" />}>
        <Markdown text={terms.body} />
      </Suspense>
      {terms.url === null ? null : (
        <a
          href={terms.url}
          target="_blank"
          rel="noreferrer"
          className="text-small break-words text-brand-text underline underline-offset-[0.2em]"
        >
          {terms.url}
        </a>
      )}
    </>
  )
}
