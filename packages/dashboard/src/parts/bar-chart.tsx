// Bars per day that can be read with the eye, with the arrow keys and as a table.
import { scaleBand, scaleLinear } from 'd3-scale'

import { shortGbp } from '../format/money.ts'
import { useReadAlong } from './use-read-along.ts'
import { useWidth } from './use-width.ts'

export interface BarSeries {
  readonly name: string
  /** A class that sets `fill`. */
  readonly fill: string
  readonly swatch: string
}

export interface Bar {
  readonly id: string
  /** Below the bar: "14". */
  readonly label: string
  /** All of it in words, for the arrow keys and the tooltip. */
  readonly words: string
  /** One value per series, in pence. */
  readonly values: readonly bigint[]
}

interface ChartProps {
  readonly label: string
  readonly series: readonly BarSeries[]
  readonly bars: readonly Bar[]
  /** Opens what is behind a bar, with a click or with Enter. */
  readonly onOpen?: (id: string) => void
}

/** Four pounds: below that the ticks would be pence. */
const LEAST_SCALE = 400
const HEIGHT = 220
const GUTTER = 44
const FOOT = 24
const TOP = 8
const KEYS = 'Use the arrow keys to read it day by day.'
const ENTER = 'Enter opens the day.'

export function BarChart({ label, series, bars, onOpen }: ChartProps) {
  const [width, measure] = useWidth()
  const open = (index: number) => {
    const bar = bars[index]
    if (bar !== undefined) onOpen?.(bar.id)
  }
  const { active, setActive, reading } = useReadAlong(bars.length, open)
  const shown = active === null ? undefined : bars[active]
  return (
    <div>
      <Legend series={series} />
      <div
        ref={measure}
        role="group"
        aria-roledescription="bar chart"
        aria-label={`${label}. ${onOpen === undefined ? KEYS : `${KEYS} ${ENTER}`}`}
        {...reading}
        className={`rounded ${onOpen === undefined ? '' : 'cursor-pointer'}`}
      >
        {width === 0 ? (
          <div className="h-55" />
        ) : (
          <Drawing {...{ width, series, bars, active }} onActive={setActive} onPick={open} />
        )}
      </div>
      <p aria-live="polite" className="num min-h-5 text-sm text-muted">
        {shown?.words ?? ''}
      </p>
    </div>
  )
}

interface DrawingProps {
  readonly width: number
  readonly series: readonly BarSeries[]
  readonly bars: readonly Bar[]
  readonly active: number | null
  readonly onActive: (index: number) => void
  readonly onPick: (index: number) => void
}

function useScales(width: number, bars: readonly Bar[]) {
  // Pence become floating-point numbers only to place pixels.
  const most = Math.max(
    LEAST_SCALE,
    ...bars.map(({ values }) => Number(values.reduce((sum, value) => sum + value, 0n))),
  )
  const y = scaleLinear([0, most], [HEIGHT - FOOT, TOP]).nice(3)
  const x = scaleBand(
    bars.map(({ id }) => id),
    [GUTTER, width - 4],
  ).padding(0.28)
  return { x, y, labelEvery: Math.max(1, Math.ceil(26 / Math.max(1, x.step()))) }
}

function Drawing({ width, series, bars, active, onActive, onPick }: DrawingProps) {
  const { x, y, labelEvery } = useScales(width, bars)
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true" className="block">
      {y.ticks(3).map((tick) => (
        <g key={tick} transform={`translate(0 ${y(tick)})`}>
          <line x1={GUTTER} x2={width} className="stroke-line" />
          <text x={GUTTER - 8} dy="0.32em" textAnchor="end" className="num fill-muted text-xs">
            {shortGbp(BigInt(tick))}
          </text>
        </g>
      ))}
      {bars.map((bar, index) => (
        <g key={bar.id} onMouseEnter={() => onActive(index)} onClick={() => onPick(index)}>
          <rect x={x(bar.id)} y={0} width={x.step()} height={HEIGHT} fill="transparent" />
          <Stack
            bar={bar}
            series={series}
            left={x(bar.id) ?? 0}
            width={x.bandwidth()}
            y={y}
            isActive={index === active}
          />
          {(bars.length - 1 - index) % labelEvery === 0 ? (
            <text
              x={(x(bar.id) ?? 0) + x.bandwidth() / 2}
              y={HEIGHT - 6}
              textAnchor="middle"
              className={`num text-xs ${index === active ? 'fill-ink font-semibold' : 'fill-muted'}`}
            >
              {bar.label}
            </text>
          ) : null}
        </g>
      ))}
    </svg>
  )
}

interface StackProps {
  readonly bar: Bar
  readonly series: readonly BarSeries[]
  readonly left: number
  readonly width: number
  readonly y: (value: number) => number
  readonly isActive: boolean
}

function Stack({ bar, series, left, width, y, isActive }: StackProps) {
  const edges = bar.values.map((_, index) => bar.values.slice(0, index + 1).reduce((sum, value) => sum + value, 0n))
  return (
    <>
      {isActive ? (
        <rect x={left - 4} y={TOP} width={width + 8} height={HEIGHT - FOOT - TOP} rx={4} className="fill-selected" />
      ) : null}
      {edges.map((edge, index) => {
        const top = y(Number(edge))
        const bottom = y(Number(edges[index - 1] ?? 0n))
        return bottom - top < 0.5 ? null : (
          <rect
            key={series[index]?.name}
            x={left}
            y={top}
            width={width}
            height={bottom - top}
            rx={2}
            className={series[index]?.fill}
          />
        )
      })}
    </>
  )
}

function Legend({ series }: { series: readonly BarSeries[] }) {
  if (series.length < 2) return null
  return (
    <ul className="mb-3 flex gap-4 text-sm text-muted">
      {series.map(({ name, swatch }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span className={`size-2.5 rounded-sm ${swatch}`} />
          {name}
        </li>
      ))}
    </ul>
  )
}
