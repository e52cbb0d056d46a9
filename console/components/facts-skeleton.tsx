import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';

/** Stands where labelled facts will be, so that the page does not jump when they come. */
export function FactsSkeleton({ facts, label }: { facts: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="skeleton">
      <SpaceBetween size="l">
        {Array.from({ length: facts }, (_, index) => `fact ${index}`).map((key) => (
          <SpaceBetween key={key} size="xxs">
            <Skeleton variant="text-body-s" width="30%" />
            <Skeleton variant="text-body-m" width="60%" />
          </SpaceBetween>
        ))}
      </SpaceBetween>
    </div>
  );
}
