import { useLingui } from '@lingui/react/macro'
import type { FormEvent, ReactNode } from 'react'
import { ScanButton } from '../../camera/ScanButton.tsx'
import { ScanIcon } from '../../camera/ScanIcon.tsx'
import { usePermissions } from '../../staff/permissions.ts'
import { Keypad } from '../../ui/field/Keypad.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { IconButton } from '../../ui/page/IconButton.tsx'
import { screens, useMedia } from '../../ui/page/useMedia.ts'
import { isReadable } from '../text/parse.ts'
import { HeaderPanel } from './HeaderPanel.tsx'
import { KindLine } from './KindLine.tsx'
import { NarrowLabels } from './NarrowLabels.tsx'
import { SearchAnswer } from './SearchAnswer.tsx'
import { SearchInput } from './SearchInput.tsx'
import type { Searching } from './useSearching.ts'

type SearchBoxProps = {
  searching: Searching
  /** On the page everything is below the field; in the header it is in a panel below the bar. */
  place: 'page' | 'header'
  /** A wide touch screen: the page has its own keypad for digits. */
  hasKeypad?: boolean
  /** Reports a missing camera; the default is a toast. */
  onNoCamera?: (words: string) => void
}

/**
 * The one search box: the field with the scanner, the kind of its text as an answer, the labels
 * that narrow the search, and the member.
 */
export function SearchBox({ searching, place, hasKeypad = false, onNoCamera }: SearchBoxProps) {
  const { narrow } = searching.field
  const isKeypad = hasKeypad && narrow !== 'code' && narrow !== 'email'
  const isPhone = !useMedia(screens.medium)
  const scan = <ScanInside searching={searching} onNoCamera={onNoCamera} />
  const submit = (event: FormEvent) => void searching.submit(event)
  if (place === 'header') {
    return (
      <form noValidate onSubmit={submit} className="relative w-80">
        <SearchInput searching={searching} place={place} trailing={scan} />
        <HeaderPanel searching={searching} />
      </form>
    )
  }
  const search = <Submit searching={searching} />
  return (
    <div className="@container">
      <form noValidate onSubmit={submit} className="flex min-w-0 flex-col gap-3">
        <div className="flex flex-col gap-1.5">
          <SearchInput
            searching={searching}
            place={place}
            keypad={isKeypad}
            trailing={
              <>
                {scan}
                {isPhone || isKeypad ? null : <span className="m-1.5 ms-1">{search}</span>}
              </>
            }
          />
          <KindLine {...searching} />
        </div>
        {/* With large letters the answer precedes what the clerk no longer needs. */}
        <div className="flex flex-col gap-3 @max-[14rem]:order-1">
          <NarrowLabels searching={searching} />
          {isPhone ? search : null}
        </div>
        {isKeypad ? <Keys searching={searching}>{search}</Keys> : null}
        {/* Below the keypad, so that no answer moves a key under a finger. */}
        <div className="empty:hidden">
          <SearchAnswer searching={searching} />
        </div>
      </form>
    </div>
  )
}

function Submit({ searching: { busy, online } }: { searching: Searching }) {
  const { t } = useLingui()
  return (
    <Button
      type="submit"
      kind="filled"
      busy={busy}
      disabled={!online}
      reason={t({ id: 'off.short', message: "You're offline." })}
    >
      {t({ id: 'search.submit', message: 'Search' })}
    </Button>
  )
}

function Keys({ searching, children }: { searching: Searching; children: ReactNode }) {
  const { t } = useLingui()
  return (
    <Keypad
      label={t({ id: 'search.keypad', message: 'Keypad' })}
      deleteLabel={t({ id: 'search.delete', message: 'Delete' })}
      disabled={searching.busy}
      input={searching.input}
    >
      {children}
    </Keypad>
  )
}

type ScanInsideProps = {
  searching: Searching
  onNoCamera: ((words: string) => void) | undefined
}

/** Opens the camera from inside the field, if the clerk may scan. */
function ScanInside({ searching: { input }, onNoCamera }: ScanInsideProps) {
  const { t } = useLingui()
  if (!usePermissions().has('scanQrCode')) return null
  return (
    <ScanButton
      reads={isReadable}
      onManual={() => input.current?.focus()}
      {...(onNoCamera ? { onUnsupported: onNoCamera } : {})}
    >
      {(open) => (
        <IconButton
          {...open}
          label={t({ id: 'search.scan', message: 'Scan' })}
          icon={<ScanIcon />}
          className="size-11!"
        />
      )}
    </ScanButton>
  )
}
