call fill_look_ups();
