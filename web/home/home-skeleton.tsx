import { Bone, SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import classes from './home.module.css'

export const HomeSkeleton = ({ isPhone }: { isPhone: boolean }) =>
  isPhone ? (
    <div className={classes.phone}>
      <div className={classes.blank} />
      <div className={classes.blankSheet}>
        <SkeletonRows count={4} />
      </div>
    </div>
  ) : (
    <div className={classes.desk}>
      <div className={classes.blankPanel}>
        <Bone width={120} height={26} />
        <Bone height={44} />
        <SkeletonRows count={9} />
      </div>
      <div className={classes.blank} />
    </div>
  )
