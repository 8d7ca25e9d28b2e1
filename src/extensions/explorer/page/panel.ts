import type { ComponentType } from 'react';
import type { ExplorerSettings } from '../../../../schema/explorer-settings';

/** A panel of the side bar that another extension brings. */
export interface ExplorerPanel {
  readonly title: string;
  readonly Icon: ComponentType;
  readonly Content: ComponentType<{ readonly settings: ExplorerSettings }>;
}
