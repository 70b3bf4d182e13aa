import { useLingui } from '@lingui/react/macro'
import UserPlusIcon from 'virtual:icons/user-plus'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ScanButton } from '../camera/ScanButton.tsx'
import { ScanIcon } from '../camera/ScanIcon.tsx'
import { type ScanHandler, useScan } from '../kit/device/scan.ts'
import { Waiting } from '../kit/page/Waiting.tsx'
import { PeekCard } from '../member/PeekCard.tsx'
import { type LookUp, paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'
import { Button } from '../ui/page/Button.tsx'
import { buttonClass } from '../ui/page/buttonClass.ts'
import { Keypad } from '../ui/field/Keypad.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { Segmented } from '../ui/field/Segmented.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { screens, useMedia } from '../ui/page/useMedia.ts'
import { BadLink } from '../member/BadLink.tsx'
import type { Candidates, useFindMember } from './find.ts'
import { RecentSearches } from './RecentSearches.tsx'
import { SearchInput } from './SearchInput.tsx'
import { SearchResult } from './SearchResult.tsx'
import { isReadable, methods } from './parse.ts'
import type { SearchField } from './useSearchField.ts'
import { useSearching } from './useSearching.ts'
import { useSearchTexts } from './useSearchTexts.ts'

const formId = 'find-member'

/** Finds one member with few keystrokes. A member opens only when the clerk asks for it. */
export function SearchPage(): ReactNode {
  const { t } = useLingui()
  const searching = useSearching()
  const { input, busy, online, find } = searching
  const permissions = usePermissions()
  const mayScan = permissions.has('scanQrCode')
  const isPhone = !useMedia(screens.medium)
  const submit = (
    <Button
      type="submit"
      form={formId}
      kind="filled"
      busy={busy}
      disabled={!online}
      reason={t({ id: 'off.short', message: "You're offline." })}
    >
      {t({ id: 'search.submit', message: 'Search' })}
    </Button>
  )
  const scan = mayScan ? (
    <ScanButton
      reads={isReadable}
      onManual={() => input.current?.focus()}
      onUnsupported={searching.setNoCamera}
    >
      {(open) => (
        <Button kind="outlined" icon={<ScanIcon />} {...open}>
          {t({ id: 'search.scan', message: 'Scan' })}
        </Button>
      )}
    </ScanButton>
  ) : null
  return (
    <PageFrame width="page">
      {mayScan ? <PageScanHandler hear={searching.hear} /> : null}
      <div className={columns}>
        <SearchForm searching={searching} submit={submit} isPhone={isPhone} />
        <div className="flex flex-col gap-4 ">
          <RecentSearches disabled={busy || !online} onAgain={(by) => find([by], '')} />
          <div className="flex flex-wrap gap-3 expanded:flex-col">
            {isPhone ? null : scan}
            {permissions.has('register') ? <Register /> : null}
          </div>
        </div>
      </div>
      {isPhone ? (
        <div className={bar}>
          {scan}
          <div className="flex flex-auto flex-col">{submit}</div>
        </div>
      ) : null}
    </PageFrame>
  )
}

type SearchFormProps = {
  searching: ReturnType<typeof useSearching>
  submit: ReactNode
  isPhone: boolean
}

function SearchForm({ searching, submit, isPhone }: SearchFormProps) {
  const { t } = useLingui()
  const { methodNames } = useSearchTexts()
  const { field, search, input, busy, keypad, noCamera, find, asked } = searching
  const onType = () => searching.onType()
  return (
    <form
      id={formId}
      noValidate
      onSubmit={(event) => void searching.submit(event)}
      className="flex min-w-0 flex-col gap-4 expanded:col-span-2"
    >
      <h1 className="text-title">{t({ id: 'search.title', message: 'Find a member' })}</h1>
      <Segmented
        label={t({ id: 'search.by', message: 'Search by' })}
        options={methods.map((value) => ({ value, label: methodNames[value] }))}
        value={field.method}
        onChange={(method) => {
          field.choose(method)
          onType()
          requestAnimationFrame(() => input.current?.focus())
        }}
      />
      <div className="flex gap-3">
        <div className="min-w-0 flex-1">
          <SearchInput {...{ field, input, busy, keypad, onType }} />
          <SearchNote field={field} />
        </div>
        {isPhone || keypad ? null : <div className="pt-1.5">{submit}</div>}
      </div>
      <div className="flex flex-wrap gap-4">
        {keypad ? (
          <Keypad
            label={t({ id: 'search.keypad', message: 'Keypad' })}
            deleteLabel={t({ id: 'search.delete', message: 'Delete' })}
            disabled={busy}
            input={input}
          >
            {submit}
          </Keypad>
        ) : null}
        <div className="flex min-w-[min(12rem,100%)] flex-1 flex-col gap-4">
          {searching.bad && search.isIdle ? <BadLink /> : null}
          {noCamera === null ? null : <NoCamera said={noCamera} />}
          {field.complete && search.isIdle ? (
            <PeekCard
              lookUp={field.complete}
              onOpen={() => field.complete && find([field.complete], field.text)}
              notFound={<RegisterOffer lookUp={field.complete} />}
            />
          ) : null}
          <Answer search={search} typed={asked} onAgain={(candidates) => find(candidates, asked)} />
        </div>
      </div>
    </form>
  )
}

const columns =
  'flex flex-col gap-6 pb-24 medium:pb-0 expanded:grid expanded:grid-cols-3 expanded:gap-8'

// At the bottom of the screen, in reach of the thumb and above the keyboard.
const bar =
  'fixed inset-x-0 bottom-0 z-10 flex flex-wrap items-start gap-3 border-t border-line bg-canvas ' +
  'px-4 py-3'

/** Receives scans for this page. */
function PageScanHandler({ hear }: { hear: ScanHandler }) {
  useScan(hear)
  return null
}

type AnswerProps = {
  search: ReturnType<typeof useFindMember>
  typed: string
  onAgain: (candidates: Candidates) => void
}

/** Shows that a search is running, or why it opened no member. */
function Answer({ search, typed, onAgain }: AnswerProps) {
  if (search.isPending) {
    return (
      <Waiting
        skeleton={<Skeleton height="4rem" radius="card" />}
        onAgain={() => void search.stop().then(() => onAgain(search.variables))}
      />
    )
  }
  if (!search.isError) return null
  const { error, variables: candidates } = search
  return <SearchResult {...{ error, candidates, typed }} onAgain={() => onAgain(candidates)} />
}

/** The specification's sentence (section 5), and what the clerk can do instead. */
function NoCamera({ said }: { said: string }) {
  const { t } = useLingui()
  return (
    <Notice tone="warning">
      <p>{said}</p>
      <p className="text-small text-ink2">
        {t({ id: 'scan.byHand', message: 'Please search manually.' })}
      </p>
    </Notice>
  )
}

/** Shown as soon as a complete number has no member; searching again would give the same result. */
function RegisterOffer({ lookUp }: { lookUp: LookUp }) {
  const { t } = useLingui()
  if (!usePermissions().has('register')) return null
  return (
    <Link {...paths.memberRegister(lookUp)} className={buttonClass('tonal', 'small')}>
      <UserPlusIcon size={20} aria-hidden="true" />
      {t({ id: 'search.registerThis', message: 'Register this number' })}
    </Link>
  )
}

function Register() {
  const { t } = useLingui()
  return (
    <Link {...paths.memberRegister()} className={`${buttonClass('text')} -ms-3`}>
      <UserPlusIcon size={24} aria-hidden="true" />
      {t({ id: 'search.register', message: 'Register new member' })}
    </Link>
  )
}

/** Says that the method was changed, or how the text was read. */
function SearchNote({ field: { switched, readAs, ...field } }: { field: SearchField }) {
  const { t } = useLingui()
  const texts = useSearchTexts()
  const method = texts.methodNames[field.method]
  const words = [
    switched ? t({ id: 'search.switched', message: `Switched to ${method}` }) : '',
    readAs === null ? '' : texts.readAs(readAs),
  ].filter(Boolean)
  return (
    <output className="block text-small text-ink2">
      {words.length === 0 ? null : <span className="mt-1.5 block">{words.join(' · ')}</span>}
    </output>
  )
}
