import { Label } from 'react-aria-components/Label'
import {
  type SliderProps as AriaProps,
  Slider as AriaSlider,
  SliderOutput,
  SliderThumb,
  SliderTrack,
} from 'react-aria-components/Slider'
import styles from './Slider.module.css'

export interface SliderProps extends Omit<AriaProps<number>, 'className' | 'style' | 'children'> {
  readonly label: string
  /** The value as text; without it, the formatted number. */
  readonly output?: string
}

/** A number between two bounds, with its value beside the label. */
export function Slider({ label, output, ...props }: SliderProps) {
  return (
    <AriaSlider {...props} className={styles.slider ?? ''}>
      <Label>{label}</Label>
      <SliderOutput>{output}</SliderOutput>
      <SliderTrack className={styles.track ?? ''}>
        <SliderThumb className={styles.thumb ?? ''} />
      </SliderTrack>
    </AriaSlider>
  )
}

interface LevelSliderProps {
  readonly label: string
  /** Percent. */
  readonly value: number
  readonly onChange: (value: number) => void
  /** Called when the user lets go. */
  readonly onChangeEnd?: (value: number) => void
}

/** A level in percent. */
export function LevelSlider({ value, ...props }: LevelSliderProps) {
  return <Slider {...props} minValue={0} maxValue={100} value={value} output={`${value} %`} />
}
