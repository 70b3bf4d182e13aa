import { Trans, useLingui } from '@lingui/react/macro'
import CheckIcon from 'virtual:icons/check'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageTitle } from '../kit/page/PageTitle.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import { paths } from '../paths.ts'
import { RulesLink } from '../shell/StaticPage.tsx'
import { Block } from '../ui/page/Block.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { allPages, type Chapter, chapters } from './chapters.ts'
import { useReadPages } from './readPages.ts'
import { type Manual, readPage, useManual } from './manualTexts.ts'

/** The manual's table of contents; pages that were read on this device are ticked. */
export function ManualPage(): ReactNode {
  const { t } = useLingui()
  const query = useManual()
  const seen = useReadPages()
  const read = allPages.filter((page) => seen.includes(page)).length
  const all = allPages.length
  return (
    <PageFrame width="page">
      <PageTitle
        back={paths.modules()}
        title={t({ id: 'man.title', message: 'User manual' })}
        note={
          <Trans id="man.count">
            {read} of {all} pages read
          </Trans>
        }
      />
      <div className="mt-4">
        <Loaded
          query={query}
          name={t({ id: 'man.title', message: 'User manual' })}
          skeleton={<Skeleton height="24rem" />}
        >
          {(manual) => <Contents manual={manual} seen={seen} />}
        </Loaded>
      </div>
      <RulesLink from="manual" />
    </PageFrame>
  )
}

function useChapterNames(): Record<Chapter, string> {
  const { t } = useLingui()
  return {
    begin: t({ id: 'man.begin', message: 'Getting started' }),
    members: t({ id: 'man.members', message: 'Members' }),
    coupons: t({ id: 'man.coupons', message: 'Coupons' }),
    points: t({ id: 'man.points', message: 'Points and receipts' }),
    trouble: t({ id: 'man.trouble', message: 'If something goes wrong' }),
    yours: t({ id: 'man.yours', message: 'Your work and account' }),
  }
}

function Contents({ manual, seen }: { manual: Manual; seen: readonly string[] }) {
  const names = useChapterNames()
  return (
    <div className="grid items-start gap-x-10 gap-y-6 medium:grid-cols-2">
      {chapters.map(({ name, pages }) => (
        <Block key={name} title={names[name]}>
          <ul className="flex flex-col">
            {pages.map((page) => (
              <PageLink
                key={page}
                page={page}
                title={readPage(manual, page)?.title ?? page}
                isRead={seen.includes(page)}
              />
            ))}
          </ul>
        </Block>
      ))}
    </div>
  )
}

function PageLink({ page, title, isRead }: { page: string; title: string; isRead: boolean }) {
  return (
    <li className="border-t border-line last:border-b">
      <Link
        {...paths.manualPage(page)}
        className={
          'flex min-h-12 items-center justify-between gap-3 py-2 text-body text-ink no-underline ' +
          'hover:text-brand-text'
        }
      >
        <span>{title}</span>
        {isRead ? (
          <>
            <CheckIcon size={20} aria-hidden="true" className="shrink-0 text-ink3" />
            <span className="sr-only">
              <Trans id="man.read">Already read</Trans>
            </span>
          </>
        ) : null}
      </Link>
    </li>
  )
}
