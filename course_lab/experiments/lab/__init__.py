"""What the experiments share: worlds, pools of processes, records and learning rates."""
