import { scaleBand, scaleLinear } from 'd3-scale';
import { area, curveMonotoneX, line } from 'd3-shape';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useFormats } from '../../frame/formats.ts';

/**
 * Returns the width of the chart's container. Drawing at this width keeps the text size. A chart is
 * an image with a summary, because its table has all values.
 */
function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    if (place.current) {
      observer.observe(place.current);
    }

    return () => observer.disconnect();
  }, []);

  return { place, width };
}

const height = 180;
/** Space for the dates below the lines, and for the highest number above. */
const [below, above] = [24, 18];
/** In longer ranges, dots would cover the line. */
const mostDots = 45;

/** A line chart with one value per day. */
export function DayChart({
  label,
  days,
  values,
  show,
}: {
  /** What is counted. */
  readonly label: string;
  readonly days: readonly string[];
  readonly values: readonly number[];
  readonly show: (value: number) => string;
}) {
  const { place, width } = useWidth();
  const { day: dayName } = useFormats();
  const highest = Math.max(1, ...values);
  const y = scaleLinear([0, highest], [height - below, above]).nice(4);
  const x = scaleLinear([0, Math.max(1, days.length - 1)], [6, width - 6]);
  const at = (_: number, index: number) => x(index);
  const path = line<number>(at, y).curve(curveMonotoneX)([...values]) ?? '';
  const filled = area<number>(at, y(0), y).curve(curveMonotoneX)([...values]) ?? '';
  const named = [...new Set([0, Math.floor((days.length - 1) / 2), days.length - 1])];
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const summary = `${label} from ${dayName(first)} to ${dayName(last)}: at most ${show(Math.max(...values))} on a day`;

  return (
    <div ref={place} class="chart">
      {width > 0 && (
        <svg role="img" aria-label={summary} width={width} height={height}>
          {y
            .ticks(4)
            .filter(Number.isInteger)
            .map((tick) => (
              <g key={tick} class="chart-tick">
                <line x1={0} x2={width} y1={y(tick)} y2={y(tick)} />
                {tick > 0 && (
                  <text x={0} y={y(tick) - 4}>
                    {show(tick)}
                  </text>
                )}
              </g>
            ))}
          <path class="chart-area" d={filled} />
          <path class="chart-line" d={path} />
          {days.map((day, index) => {
            const value = values[index] ?? 0;

            return (
              <g key={day} class="chart-point">
                <title>{`${dayName(day)}: ${show(value)}`}</title>
                <rect
                  x={x(index) - (x(1) - x(0)) / 2}
                  width={Math.max(1, x(1) - x(0))}
                  y={0}
                  height={height - below}
                />
                {days.length <= mostDots && <circle cx={x(index)} cy={y(value)} r={2.5} />}
              </g>
            );
          })}
          {named.map((index, place) => (
            <text
              key={index}
              class="chart-name"
              x={x(index)}
              y={height - 6}
              text-anchor={place === 0 ? 'start' : place === named.length - 1 ? 'end' : 'middle'}
            >
              {dayName(days[index] ?? '')}
            </text>
          ))}
        </svg>
      )}
    </div>
  );
}

export type Bar = { readonly name: string; readonly value: number };

const bandHeight = 40;
const mostBars = 10;
/** The average width of a character in names. */
const characterWidth = 7;

/** A bar chart of the first ten values. */
export function BarChart({
  label,
  bars,
  show,
}: {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly show: (value: number) => string;
}) {
  const { place, width } = useWidth();
  const shown = bars.slice(0, mostBars);
  const total = shown.length * bandHeight;
  const x = scaleLinear([0, Math.max(1, ...shown.map(({ value }) => value))], [0, width]);
  const y = scaleBand(
    shown.map((_, index) => String(index)),
    [0, total],
  );
  const [top] = shown;
  const summary = top
    ? `${label} of ${shown.length}: first ${top.name} with ${show(top.value)}`
    : label;

  return (
    <div ref={place} class="chart">
      {width > 0 && (
        <svg role="img" aria-label={summary} width={width} height={total}>
          {shown.map(({ name, value }, index) => (
            <g key={index} transform={`translate(0 ${y(String(index)) ?? 0})`}>
              <title>{`${name}: ${show(value)}`}</title>
              <text x={0} y={16}>
                {cut(name, (width - 90) / characterWidth)}
              </text>
              <text x={width} y={16} text-anchor="end" class="chart-value">
                {show(value)}
              </text>
              <rect class="chart-track" width={width} y={23} height={8} rx={4} />
              <rect class="chart-bar" width={x(Math.max(0, value))} y={23} height={8} rx={4} />
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}

function cut(text: string, length: number): string {
  const characters = [...text];

  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
