import type { ReactElement, SVGProps } from 'react'

/** The SVG path of each weight, on Phosphor's grid of 256 × 256. */
type IconPaths = { regular: string; bold: string; fill: string }

export type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'> & {
  /** Width and height: pixels, or a CSS length. */
  size?: number | string
  weight?: keyof IconPaths
}

export type Icon = (props: IconProps) => ReactElement

/**
 * Makes the component of one icon. The modules that vite.icons.ts generates call it.
 * @public
 */
export function icon(paths: IconPaths): Icon {
  return function Drawing({ size = '1em', weight = 'regular', ...rest }) {
    return (
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width={size}
        height={size}
        fill="currentColor"
        viewBox="0 0 256 256"
        {...rest}
      >
        <path d={paths[weight]} />
      </svg>
    )
  }
}
