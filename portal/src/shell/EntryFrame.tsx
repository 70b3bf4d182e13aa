import type { ReactNode } from 'react'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { SettingsButton } from './SettingsButton.tsx'

/** The frame of the pages before login: the form in the upper middle, the language at the top. */
export function EntryFrame({ children }: { children: ReactNode }): ReactNode {
  return (
    <>
      <header className="flex h-14 items-center justify-end px-2 medium:px-4">
        <SettingsButton />
      </header>
      <PageFrame width="form">{children}</PageFrame>
    </>
  )
}
