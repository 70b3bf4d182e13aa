import { useLingui } from '@lingui/react/macro'
import CaretLeftIcon from 'virtual:icons/caret-left'
import MagnifyingGlassIcon from 'virtual:icons/magnifying-glass'
import XIcon from 'virtual:icons/x'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTheme } from '../company/company.ts'
import { AsOf } from '../kit/page/AsOf.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import { More } from '../kit/page/More.tsx'
import { Button } from '../ui/page/Button.tsx'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { IconButton } from '../ui/page/IconButton.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { screens, useMedia } from '../ui/page/useMedia.ts'
import { TextField } from '../ui/field/TextField.tsx'
import { ReceiptPane } from './ReceiptPane.tsx'
import { ReceiptRows } from './ReceiptRows.tsx'
import { receiptsQuery } from './transactions.ts'

type TransactionsPageProps = {
  memberCode: string
  /** The receipt that the address names. */
  open: string | null
  onOpen: (invoiceNumber: string | null) => void
}

/** The member's receipts, and the open one: next to the list, instead of it, or below its row. */
export function TransactionsPage({ memberCode, open, onOpen }: TransactionsPageProps) {
  const { t } = useLingui()
  const inline = useTheme().layoutStyleConfig.transactionItemStyle === 'expandInline'
  const list = useRef<HTMLDivElement>(null)
  const newest = useNewest(memberCode)
  const isWide = useMedia(screens.expanded) && !inline
  // Where both have room, the newest receipt is open until another one is chosen.
  const shown = open ?? (isWide ? newest : null)
  const isPushed = open !== null && !inline
  const close = () => {
    onOpen(null)
    // The list is visible again only after the next paint.
    requestAnimationFrame(() => focusRow(list))
  }
  useEscape(open !== null, close)
  return (
    <div
      className={inline ? '' : 'expanded:grid expanded:grid-cols-[minmax(0,23.75rem)_1fr] gap-x-6'}
    >
      <h2 className="sr-only">{t({ id: 'nav.transactions', message: 'Transactions' })}</h2>
      <div ref={list} className={isPushed ? 'max-expanded:hidden' : ''}>
        <List memberCode={memberCode} open={shown} inline={inline} onOpen={onOpen} />
      </div>
      {shown !== null && !inline ? (
        <ReceiptColumn key={shown} list={list} onBack={close}>
          <ReceiptPane memberCode={memberCode} invoiceNumber={shown} />
        </ReceiptColumn>
      ) : null}
    </div>
  )
}

/** The member's newest receipt, from the unfiltered list; null until it is loaded. */
function useNewest(memberCode: string): string | null {
  const { data } = useInfiniteQuery(receiptsQuery(memberCode, ''))
  return data?.pages[0]?.items[0]?.invoiceNumber ?? null
}

type ListProps = TransactionsPageProps & { inline: boolean }

function List({ memberCode, open, inline, onOpen }: ListProps) {
  const { t } = useLingui()
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const part = useDebounced(useDeferredValue(typed.trim()))
  const query = useInfiniteQuery(receiptsQuery(memberCode, part))
  const name = t({ id: 'nav.transactions', message: 'Transactions' })
  const pages = query.data?.pages
  const rows = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages])
  return (
    <div className="flex flex-col gap-2">
      <TextField
        ref={field}
        label={t({ id: 'tx.search', message: 'Invoice no.' })}
        type="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        leading={<MagnifyingGlassIcon size={20} aria-hidden="true" className="ms-3.5 text-ink2" />}
        trailing={
          typed === '' ? undefined : (
            <IconButton
              label={t({ id: 'search.clear', message: 'Clear' })}
              icon={<XIcon size={20} aria-hidden="true" />}
              onClick={() => {
                setTyped('')
                field.current?.focus()
              }}
            />
          )
        }
      />
      <Loaded query={query} name={name} skeleton={<RowsSkeleton />}>
        {() => (
          <div aria-busy={query.isPlaceholderData}>
            <output className="sr-only">
              {part !== '' && !query.isPlaceholderData && rows.length === 0
                ? t({ id: 'tx.noneFound', message: 'No transaction with this number' })
                : ''}
            </output>
            {rows.length === 0 ? (
              <EmptyLine>
                {part === ''
                  ? t({ id: 'tx.empty', message: 'No transactions yet' })
                  : t({ id: 'tx.noneFound', message: 'No transaction with this number' })}
              </EmptyLine>
            ) : (
              <ReceiptRows {...{ memberCode, rows, open, inline, onOpen }} />
            )}
            <More
              name={name}
              more={query.hasNextPage}
              busy={query.isFetchingNextPage}
              error={query.isFetchNextPageError ? query.error : null}
              onMore={() => void query.fetchNextPage()}
            />
            <AsOf
              updatedAt={query.dataUpdatedAt}
              busy={query.isFetching}
              onRefresh={() => void query.refetch()}
            />
          </div>
        )}
      </Loaded>
    </div>
  )
}

type ReceiptColumnProps = {
  list: RefObject<HTMLDivElement | null>
  onBack: () => void
  children: ReactNode
}

/** The open receipt. On a phone it replaces the list, so its heading gets the focus. */
function ReceiptColumn({ list, onBack, children }: ReceiptColumnProps) {
  const { t } = useLingui()
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const isListGone = list.current?.offsetParent === null
    if (isListGone) head.current?.focus()
  }, [list])
  return (
    <section className="flex flex-col gap-2 expanded:sticky expanded:top-32 expanded:self-start">
      <div className="flex items-center gap-1 expanded:sr-only print:hidden">
        <Button
          kind="text"
          size="small"
          className="-ms-3 expanded:hidden"
          icon={<CaretLeftIcon size={20} aria-hidden="true" />}
          onClick={onBack}
        >
          {t({ id: 'nav.transactions', message: 'Transactions' })}
        </Button>
        <h3 ref={head} tabIndex={-1} className="sr-only">
          {t({ id: 'tx.one', message: 'Transaction' })}
        </h3>
      </div>
      {children}
    </section>
  )
}

/** Escape goes back to the list, unless an open layer handles it first. */
function useEscape(active: boolean, onEscape: () => void): void {
  const latest = useRef(onEscape)
  useEffect(() => {
    latest.current = onEscape
  })
  useEffect(() => {
    if (!active) return undefined
    const press = (event: KeyboardEvent) => {
      const isTaken = event.defaultPrevented || document.querySelector('[role=dialog]') !== null
      if (event.key === 'Escape' && !isTaken) latest.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [active])
}

function focusRow(list: RefObject<HTMLDivElement | null>): void {
  const row =
    list.current?.querySelector<HTMLElement>('[data-row][aria-current], [data-row]') ?? null
  row?.focus()
}

const debounceMs = 250

/** The value after it has not changed for a moment, so that not every letter causes a request. */
function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), debounceMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

function RowsSkeleton() {
  return (
    <div className="flex flex-col gap-3 pt-2">
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <Skeleton key={row} height="3.5rem" />
      ))}
    </div>
  )
}
