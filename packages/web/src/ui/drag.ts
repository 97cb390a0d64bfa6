import {
  draggable,
  dropTargetForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Makes an element draggable. */
export function useDraggable<Item>(item: Item, { canDrag }: { readonly canDrag: boolean }) {
  const ref = useRef<HTMLElement>(null);
  const current = useRef(item);
  current.current = item;
  const [isDragging, setIsDragging] = useState(false);
  useEffect(
    () =>
      ref.current && canDrag
        ? draggable({
            element: ref.current,
            getInitialData: () => ({ item: current.current }),
            onDragStart: () => setIsDragging(true),
            onDrop: () => setIsDragging(false),
          })
        : undefined,
    [canDrag],
  );

  return { ref, isDragging };
}

/** Makes an element accept dropped items. A page has only one kind of draggable item. */
export function useDropTarget<Item>(onDrop: (item: Item) => void) {
  const ref = useRef<HTMLElement>(null);
  const current = useRef(onDrop);
  current.current = onDrop;
  const [isOver, setIsOver] = useState(false);
  useEffect(
    () =>
      ref.current
        ? dropTargetForElements({
            element: ref.current,
            onDragEnter: () => setIsOver(true),
            onDragLeave: () => setIsOver(false),
            onDrop: ({ source }) => {
              setIsOver(false);
              current.current(source.data.item as Item);
            },
          })
        : undefined,
    [],
  );

  return { ref, isOver };
}
