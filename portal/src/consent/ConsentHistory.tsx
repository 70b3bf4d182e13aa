import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDates } from '../company/calendar.ts'
import { languageNames } from '../kit/text/language.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { withIndex } from '../kit/page/withIndex.ts'
import { Block } from '../ui/page/Block.tsx'
import { Button } from '../ui/page/Button.tsx'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { consentsQuery } from './consents.ts'

const shown = 4

/** Every answer of the customer to the terms and to marketing, with time, store and language. */
export function ConsentHistory({ memberCode }: { memberCode: string }) {
  const { t } = useLingui()
  const query = useQuery(consentsQuery(memberCode))
  const dates = useDates()
  const [all, setAll] = useState(false)
  const title = t({ id: 'reg.consent', message: 'Consent' })
  const kinds = {
    terms: t({ id: 'prof.terms', message: 'Terms' }),
    marketing: t({ id: 'prof.marketing', message: 'Marketing messages' }),
  }
  return (
    <Block title={title}>
      <Loaded query={query} name={title} skeleton={<Skeleton height="8rem" />}>
        {({ items }) => (
          <>
            {items.length === 0 ? (
              <EmptyLine>{t({ id: 'prof.no', message: 'Not agreed' })}</EmptyLine>
            ) : null}
            <ul>
              {withIndex(all ? items : items.slice(0, shown)).map(([index, one]) => (
                <li
                  key={index}
                  className={
                    'flex flex-wrap items-baseline justify-between gap-x-6 border-b border-line ' +
                    'py-3 last:border-0'
                  }
                >
                  <span>
                    {kinds[one.kind]}
                    <span className="num ms-2 text-small text-ink2">{one.version}</span>
                  </span>
                  <span>
                    {one.agreed
                      ? t({ id: 'prof.yes', message: 'Agreed' })
                      : t({ id: 'prof.no', message: 'Not agreed' })}
                  </span>
                  <span className="num w-full text-small text-ink2">
                    {dates(one.at, 'long')}
                    {one.store === null ? null : <> · {one.store.name}</>}
                    {' · '}
                    <span lang={one.language}>{languageNames[one.language]}</span>
                  </span>
                </li>
              ))}
            </ul>
            {items.length > shown && !all ? (
              <div>
                <Button kind="text" size="small" className="-ms-3" onClick={() => setAll(true)}>
                  {t({ id: 'sys.showAll', message: 'Show all' })}
                </Button>
              </div>
            ) : null}
          </>
        )}
      </Loaded>
    </Block>
  )
}
