import type { ReactNode } from 'react'

export type PageFrameProps = {
  /**
   * `form`: a narrow column in the upper middle. `column`: 640 px. `page`: the reading width.
   * `full`: the whole width.
   */
  width: 'form' | 'column' | 'page' | 'full'
  children: ReactNode
}

const widths = {
  form: 'max-w-[26rem] px-[20px] py-8 medium:py-20 low:py-4',
  column: 'max-w-[calc(40rem+48px)] px-[16px] py-5 medium:px-[24px] medium:py-8',
  page: 'max-w-[60rem] px-[16px] py-5 medium:px-[24px] medium:py-8',
  full: 'max-w-none px-[16px] py-5 medium:px-[24px] medium:py-8',
}

/** The content of a page, below the header. */
export function PageFrame({ width, children }: PageFrameProps) {
  return <main className={`mx-auto flex w-full flex-col ${widths[width]}`}>{children}</main>
}
