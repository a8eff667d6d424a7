import { Label } from 'react-aria-components/Label'
import { Slider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components/Slider'
import styles from './LevelSlider.module.css'

export interface LevelSliderProps {
  readonly label: string
  /** Percent. */
  readonly value: number
  readonly onChange: (value: number) => void
  /** Called when the user lets go. */
  readonly onChangeEnd?: (value: number) => void
}

/** A level in percent. */
export function LevelSlider({ label, value, onChange, onChangeEnd }: LevelSliderProps) {
  return (
    <Slider
      className={styles.slider ?? ''}
      minValue={0}
      maxValue={100}
      value={value}
      onChange={onChange}
      {...(onChangeEnd !== undefined && { onChangeEnd })}
    >
      <Label>{label}</Label>
      <SliderOutput>{`${value} %`}</SliderOutput>
      <SliderTrack className={styles.track ?? ''}>
        <SliderThumb className={styles.thumb ?? ''} />
      </SliderTrack>
    </Slider>
  )
}
